-- | Waiting for input, for output and for time in the runtime without OS
-- threads, whose scheduler does the waiting itself (stop statuses 9, 10, 11).
module Main (main) where

import Control.Concurrent
import Control.Monad (replicateM_, void)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (labelThread)
import System.Posix.IO (createPipe, fdRead, fdWrite)

main :: IO ()
main = do
  (from, to) <- createPipe
  done <- newEmptyMVar
  traceMarkerIO "read: the pipe is empty"
  start done "reader" (threadWaitRead from >> void (fdRead from 1))
  traceMarkerIO "delay"
  threadDelay 2000
  void (fdWrite to "x")
  takeMVar done
  traceMarkerIO "write: the pipe is full"
  void (fdWrite to (replicate pipeSize 'x'))
  start done "writer" (threadWaitWrite to >> void (fdWrite to "y"))
  threadDelay 2000
  replicateM_ 16 (fdRead from (fromIntegral (pipeSize `div` 16)))
  takeMVar done

-- | What a Linux pipe takes before a write would block.
pipeSize :: Int
pipeSize = 65536

start :: MVar () -> String -> IO () -> IO ()
start done label body = void . forkIO $ do
  myThreadId >>= (`labelThread` label)
  body
  putMVar done ()
