-- | A loop that does not allocate: threads stop for a collection where they allocate, so all others wait until the loop ends.
-- Remedy: compile it with -fno-omit-yields.
--
-- compile: -O -threaded
-- run: -N2 -l -A1m
-- first: gc-slow-sync
-- mended compile: -O -threaded -fno-omit-yields
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM_)
import Data.Char (ord)
import GHC.Conc (labelThread)

main :: IO ()
main = do
  done <- newEmptyMVar
  counter <- forkOn 1 $ do
    forM_ [1 .. 10] $ \n -> evaluate (countdown (n + 40000000) 0) >> threadDelay 20000
    putMVar done ()
  labelThread counter "counter"
  worker <- forkOn 0 (forM_ [1 ..] $ \n -> evaluate (digits n))
  labelThread worker "worker"
  takeMVar done

-- | Numbers in registers, no allocation.
countdown :: Int -> Int -> Int
countdown 0 bits = bits
countdown n bits = countdown (n - 1) (bits * 31 + n)
{-# NOINLINE countdown #-}

-- | Allocates 50 KB or so, and takes some 100 µs.
digits :: Int -> Int
digits seed = sum [ord letter | n <- [seed .. seed + 200], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 400 :: Int]
{-# NOINLINE digits #-}
