-- | Collections while nothing happens: whenever the server has been idle for 0.3 s, the runtime makes a major collection of all that
-- it holds, for a few requests.
-- Remedy: idle collections at most once a minute.
--
-- compile: -O -threaded
-- run: -N1 -l
-- first: gc-idle
-- mended run: -N1 -l -Iw60
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Exception (evaluate)
import Control.Monad (forM_)
import qualified Data.IntMap.Strict as IntMap

main :: IO ()
main = do
  let table = IntMap.fromDistinctAscList [(key, show key) | key <- [0 .. 60000 :: Int]]
  _ <- evaluate (IntMap.foldl' (\n text -> n + length text) 0 table)
  forM_ [1 .. 10] $ \request -> do
    threadDelay 450000
    evaluate (fmap length (IntMap.lookup (request * 31) table))
