-- | A nursery of 1 MB with eight capabilities: each of the workers fills one in less than a millisecond, and each time all eight
-- capabilities stop and their collectors synchronise, though next to nothing is live.
-- Remedy: a larger nursery in chunks.
--
-- compile: -O -threaded
-- run: -N8 -l -A256k -qn2
-- first: gc-small-nursery
-- also: gc-share gc-late-return oversubscribed gc-unbalanced gc-nursery-unused gc-slow-sync
-- mended run: -N8 -l -A64m -n4m -qn2
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import Data.Char (ord)
import GHC.Conc (labelThread)

main :: IO ()
main = do
  done <- forM [0, 1] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkOn (worker * 4) $ do
      forM_ [1 .. 30] $ \request -> evaluate (answer (request + worker)) >> threadDelay 5000
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

-- | Allocates some megabytes and keeps none.
answer :: Int -> Int
answer seed = sum [ord letter | n <- [seed .. seed + 6000], letter <- show (n * n)]
{-# NOINLINE answer #-}
