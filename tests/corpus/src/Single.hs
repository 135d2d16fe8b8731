-- | Two threads that hand a number back and forth through MVars, and one that
-- waits for what never comes: the runtime throws it out at a collection.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread)
import System.Mem (performMajorGC, performMinorGC)

main :: IO ()
main = do
  name "main"
  ping <- newEmptyMVar
  pong <- newEmptyMVar
  _ <- forkIO $ name "pong" >> forever (takeMVar ping >>= putMVar pong . succ)
  lonely
  forM_ [1 .. 15 :: Int] $ \n -> do
    putMVar ping n
    answer <- takeMVar pong
    traceEventIO (show n ++ " came back as " ++ show answer)
    _ <- evaluate (length (show (3 ^ (2000 * n) :: Integer)))
    when (n `mod` 5 == 0) $ traceMarkerIO ("round " ++ show n) >> performMinorGC
  performMajorGC
  threadDelay 1000

lonely :: IO ()
lonely = do
  never <- newEmptyMVar
  void . forkIO $ do
    name "lonely"
    takeMVar never `catch` \BlockedIndefinitelyOnMVar -> traceEventIO "nobody will come"
  yield

name :: String -> IO ()
name label = myThreadId >>= (`labelThread` label)
