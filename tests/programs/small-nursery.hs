-- | A nursery of 1 MB with eight capabilities: whenever one of the two workers has filled its own, all eight capabilities stop. So
-- there are hundreds of collections a second, and each copies what the requests have just begun to build.
-- Remedy: a larger nursery, in chunks.
--
-- compile: -O -threaded
-- run: -N8 -l -A1m -qn2
-- first: gc-small-nursery
-- also: gc-share gc-unbalanced gc-late-return gc-slow-sync
-- mended run: -N8 -l -A64m -n4m -qn2
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import qualified Data.Map.Strict as Map
import GHC.Conc (labelThread)

main :: IO ()
main = do
  done <- forM [0, 1] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkOn (worker * 4) $ do
      forM_ [1 .. 25] $ \request -> evaluate (answer (request + worker)) >> threadDelay 10000
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

-- | Counts words: allocates some megabytes, and needs a part of them until it is done.
answer :: Int -> Int
answer seed = Map.size (Map.fromListWith (+) [(show (n * n `mod` 20011), 1 :: Int) | n <- [seed .. seed + 8000]])
{-# NOINLINE answer #-}
