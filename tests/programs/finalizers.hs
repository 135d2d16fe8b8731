-- | Handles that are closed by their finalizers: nothing is closed until a major collection finds them, and then all their
-- finalizers run one after the other, while requests wait for the capability.
-- Remedy: each request closes what it opened.
--
-- compile: -O -threaded
-- run: -N1 -l -A1m
-- first: slow-requests
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_, replicateM_, when)
import Data.Char (ord)
import Data.IORef
import Debug.Trace (traceEventIO)
import GHC.Conc (labelThread)
import System.Environment (getArgs)
import System.Mem.Weak (Weak, finalize)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  threads <- myThreadId
  labelThread threads "server"
  open <- newIORef (0 :: Int)
  forM_ [1 .. 300] $ \number -> do
    threadDelay 4000
    traceEventIO ("START request " ++ show number)
    handles <- forM [1 .. 20] (openHandle open . (+ number))
    _ <- evaluate (digits number)
    when mended (mapM_ (finalize . snd) handles)
    traceEventIO ("STOP request " ++ show number)

-- | A handle, and the weak pointer that closes it.
openHandle :: IORef Int -> Int -> IO (IORef Int, Weak (IORef Int))
openHandle open number = do
  modifyIORef' open (+ 1)
  handle <- newIORef number
  closing <- mkWeakIORef handle $ do
    -- Closing takes a moment.
    _ <- evaluate (flush number)
    atomicModifyIORef' open (\n -> (n - 1, ()))
  return (handle, closing)

flush :: Int -> Int
flush n = length (filter even (takeWhile (> 1) (iterate (\m -> if even m then m `quot` 2 else 3 * m + 1) (n + 27))))
{-# NOINLINE flush #-}

digits :: Int -> Int
digits seed = sum [ord letter | n <- [seed .. seed + 300], letter <- show (n * n)]
{-# NOINLINE digits #-}
