-- | A convoy before a lock: each worker computes while it holds the MVar that all of them need.
-- Remedy: compute first, and take the MVar for the addition only.
--
-- compile: -O -threaded
-- run: -N2 -l -A4m
-- first: lock-chains
-- also: no-parallelism
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import GHC.Conc (labelThread)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  total <- newMVar 0
  done <- forM [1 .. 6] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkIO $ do
      forM_ [1 .. 40] $ \job -> do
        let result = steps (worker * 40 + job)
        if mended
          then evaluate result >>= \known -> modifyMVar_ total (\sofar -> evaluate (sofar + known))
          else modifyMVar_ total (\sofar -> evaluate (sofar + result))
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar
  readMVar total >>= print

-- | Takes some milliseconds.
steps :: Int -> Int
steps n = sum [collatz m 0 | m <- [n * 10000 .. n * 10000 + 9999]]
{-# NOINLINE steps #-}

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
