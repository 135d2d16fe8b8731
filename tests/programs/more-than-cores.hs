-- | More capabilities than cores: made with -N8 on a machine of two. All eight have work, six of them wait for a core, and each
-- collection waits for all.
-- Remedy: as many capabilities as cores.
--
-- compile: -O -threaded
-- run: -N8 -l -A2m
-- first: gc-late-return
-- also: gc-slow-sync gc-share oversubscribed idle-runnable
-- mended run: -N2 -l -A4m
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import Data.Char (ord)
import GHC.Conc (labelThread)

main :: IO ()
main = do
  done <- forM [0 .. 7] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkIO $ do
      forM_ [1 .. 80] (evaluate . answer . (+ worker))
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

answer :: Int -> Int
answer seed = sum [ord letter | n <- [seed .. seed + 4000], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 100 :: Int]
{-# NOINLINE answer #-}
