-- | Logging that stops, misses something and goes on into the same file. The
-- writer and the two calls are in restarted.c.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (labelThread)
import System.Mem (performMajorGC)

foreign import ccall safe stopLogging :: IO ()

foreign import ccall safe startLogging :: IO ()

main :: IO ()
main = do
  turns <- newEmptyMVar
  done <- newEmptyMVar
  _ <- forkIO (myThreadId >>= (`labelThread` "old hand") >> mapM_ (const (work turns done)) "abc")
  turn turns done "first stream"
  stopLogging
  turn turns done "not logged" -- its collection is: GHC 9.0 stops only some events
  startLogging
  turn turns done "second stream"

turn :: MVar () -> MVar () -> String -> IO ()
turn turns done name = do
  traceMarkerIO name
  putMVar turns ()
  takeMVar done
  performMajorGC

work :: MVar () -> MVar () -> IO ()
work turns done = do
  takeMVar turns
  _ <- evaluate (length (show (product [1 .. 800 :: Integer])))
  putMVar done ()
