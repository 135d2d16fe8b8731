-- | Eight capabilities for sequential work: one thread does everything, and its collections are shared among eight.
-- Remedy: -N1.
--
-- compile: -O -threaded
-- run: -N8 -l -A4m
-- first: one-thread no-parallelism
-- mended run: -N1 -l -A4m
module Main (main) where

import Control.Exception (evaluate)
import qualified Data.Map.Strict as Map
import Data.Char (ord)

main :: IO ()
main = do
  words' <- evaluate (foldr count Map.empty (concatMap text [1 .. 400]))
  print (Map.size words')

count :: String -> Map.Map String Int -> Map.Map String Int
count word = Map.insertWith (+) word 1

text :: Int -> [String]
text seed = [show (power (seed * n)) | n <- [1 .. 400]]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 997) 1 [1 .. 1000 :: Int]
