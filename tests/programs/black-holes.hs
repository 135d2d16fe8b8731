-- | A convoy before a black hole: a table is replaced by a thunk of the next one, and whoever asks first evaluates it; all other
-- workers wait for that thread.
-- Remedy: the table is evaluated before it is put in place; meanwhile the workers use the old one.
--
-- compile: -O -threaded -feager-blackholing
-- run: -N2 -l -A4m
-- first: black-holes
-- also: wake-latency
-- mended also: wake-latency
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_, when)
import Data.Char (ord)
import Data.IORef
import qualified Data.IntMap.Strict as IntMap
import GHC.Conc (labelThread)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  table <- newIORef $! tableOf 0
  updater <- forkIO $ forM_ [1 .. 8] $ \version -> do
    threadDelay 50000
    let next = tableOf version
    when mended (() <$ evaluate next)
    writeIORef table next
  labelThread updater "updater"
  done <- forM [1 .. 6 :: Int] $ \worker -> do
    ready <- newEmptyMVar
    thread <- forkIO $ do
      forM_ [1 .. 70] $ \request -> do
        prices <- readIORef table
        _ <- evaluate (IntMap.lookup (request * worker) prices)
        _ <- evaluate (answer (request * worker))
        threadDelay 5000
      putMVar ready ()
    labelThread thread ("worker " ++ show worker)
    return ready
  forM_ done takeMVar

-- | Takes half a millisecond, and allocates a little.
answer :: Int -> Int
answer seed = sum [ord letter | n <- [seed .. seed + 200], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 400 :: Int]
{-# NOINLINE answer #-}

-- | Takes some 60 ms.
tableOf :: Int -> IntMap.IntMap Int
tableOf version = IntMap.fromList [(item, sum [collatz (item * 37 + version + n) 0 | n <- [1 .. 5]]) | item <- [1 .. 30000]]
{-# NOINLINE tableOf #-}

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count | n < 1 = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
