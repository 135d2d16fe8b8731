-- | Forks itself; the child works a little under its own process id and log.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (labelThread)
import System.Mem (performMajorGC)
import System.Posix.Process (forkProcess, getProcessStatus)

main :: IO ()
main = do
  traceMarkerIO "parent before"
  child <- forkProcess $ do
    traceMarkerIO "child"
    done <- newEmptyMVar
    _ <- forkIO $ do
      myThreadId >>= (`labelThread` "child's worker")
      _ <- evaluate (sum [1 .. 300000 :: Integer])
      putMVar done ()
    takeMVar done
    performMajorGC
  _ <- getProcessStatus True False child
  traceMarkerIO "parent after"
