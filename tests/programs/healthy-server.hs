-- | Healthy: a server whose requests are spans, handled by two threads on two capabilities.
--
-- compile: -O -threaded
-- run: -N2 -l -A16m
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import Data.Char (ord)
import Debug.Trace (traceEventIO)
import GHC.Conc (labelThread)

main :: IO ()
main = do
  done <- forM [0, 1] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkOn worker $ do
      forM_ [1 .. 150] $ \number -> do
        threadDelay 2000
        traceEventIO ("START request " ++ show (worker * 150 + number))
        _ <- evaluate (answer number)
        traceEventIO ("STOP request " ++ show (worker * 150 + number))
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

answer :: Int -> Int
answer seed = sum [ord letter | n <- [seed .. seed + 1000], letter <- show (n * n)]
{-# NOINLINE answer #-}
