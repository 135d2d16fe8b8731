-- | Handles that are closed by their finalizers: nothing is closed until a major collection finds them, and then all their
-- finalizers run one after the other, while requests wait for the capability.
-- Remedy: each request closes what it opened.
--
-- compile: -O -threaded
-- run: -N1 -l -A4m
-- first: slow-requests
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_, when)
import Data.Char (ord)
import Data.IORef
import Debug.Trace (traceEventIO)
import GHC.Conc (labelThread)
import System.Environment (getArgs)
import System.Mem.Weak (Weak, finalize)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  self <- myThreadId
  labelThread self "server"
  open <- newIORef (0 :: Int)
  forM_ [1 .. 400] $ \number -> do
    traceEventIO ("START " ++ show number ++ " request")
    handles <- forM [1 .. 20] (openHandle open . (+ number))
    threadDelay 2000 -- the answer of another server
    _ <- evaluate (digits number)
    when mended (mapM_ (finalize . snd) handles)
    traceEventIO ("STOP " ++ show number ++ " request")

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
flush n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 8000]
{-# NOINLINE flush #-}

digits :: Int -> Int
digits seed = sum [ord letter | n <- [seed .. seed + 300], letter <- show (n * n)]
{-# NOINLINE digits #-}
