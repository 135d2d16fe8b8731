-- | The runtime without OS threads: many delays at once, and a pipe that one
-- thread reads and another writes. What is awaited comes without a wake-up.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import GHC.Conc (labelThread)
import System.Posix.IO (createPipe, fdRead, fdWrite)

main :: IO ()
main = do
  label "main"
  (from, to) <- createPipe
  done <- newEmptyMVar
  _ <- forkIO $ do
    label "reads the pipe"
    replicateM_ 20 (threadWaitRead from >> fdRead from 1000 >>= evaluate . length . fst)
    putMVar done ()
  _ <- forkIO $ do
    label "writes the pipe"
    forM_ [1 .. 20 :: Int] $ \n -> threadWaitWrite to >> fdWrite to (replicate (10 * n) 'x') >> threadDelay 700
    putMVar done ()
  forM_ [1 .. 5 :: Int] $ \n -> forkIO $ do
    label ("sleeps " ++ show n)
    replicateM_ 8 (threadDelay (300 * n) >> evaluate (length (show (product [1 .. toInteger (100 * n)]))))
    putMVar done ()
  takeMVar done
  stuck <- forkIO (label "is killed asleep" >> threadDelay 100000000)
  waits <- forkIO (label "is killed reading" >> threadDelay 500 >> threadWaitRead to)
  threadDelay 1000
  killThread stuck
  killThread waits
  replicateM_ 6 (takeMVar done)

label :: String -> IO ()
label l = myThreadId >>= (`labelThread` l)
