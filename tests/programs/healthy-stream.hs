-- | Healthy: a streaming job in constant memory on one capability.
--
-- compile: -O
-- run: -l -A64m
module Main (main) where

import qualified Data.ByteString.Char8 as Strict
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Lazy.Char8 as Lazy
import Data.List (foldl')

main :: IO ()
main = do
  let input = Builder.toLazyByteString (foldMap (\n -> Builder.intDec n <> Builder.char7 '\n') [1 .. 25000000])
  print (foldl' (\total line -> total + lengthOf line) 0 (Lazy.lines input))

lengthOf :: Lazy.ByteString -> Int
lengthOf = sum . map Strict.length . Lazy.toChunks
