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
        traceEventIO ("START " ++ show (worker * 150 + number) ++ " request")
        _ <- evaluate (answer number)
        traceEventIO ("STOP " ++ show (worker * 150 + number) ++ " request")
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

answer :: Int -> Int
answer seed = sum [ord letter | n <- [seed .. seed + 1000], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 400 :: Int]
{-# NOINLINE answer #-}
