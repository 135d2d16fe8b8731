{-# LANGUAGE InterruptibleFFI #-}
-- | One labelled thread for each way of stopping that the threaded runtime has.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace (traceMarkerIO)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Conc (STM, atomically, labelThread, newTVarIO, readTVar, retry, writeTVar)

foreign import ccall safe "unistd.h usleep" foreignSleep :: CUInt -> IO CInt

foreign import ccall interruptible "unistd.h usleep" breakableSleep :: CUInt -> IO CInt

main :: IO ()
main = do
  labelMe "main"
  phase "MVar: take, put, read" $ do
    box <- newEmptyMVar
    full <- newMVar 'a'
    waiting
      [ ("waits to take", void (takeMVar box))
      , ("waits to put", putMVar full 'b')
      , ("waits to read", void (readMVar box))
      ]
      (putMVar box 'c' >> void (takeMVar full))
  phase "black hole" $ do
    let thunk = heavy 300000
    waiting
      [("evaluates", void (evaluate thunk)), ("waits for the thunk", yield >> void (evaluate thunk))]
      (pure ())
  phase "STM retry" $ do
    flag <- newTVarIO False
    waiting
      [("waits for the flag", atomically (readTVar flag >>= \up -> unless up (retry :: STM ())))]
      (atomically (writeTVar flag True))
  phase "delay" $ waiting [("sleeps", threadDelay 1500)] (pure ())
  phase "throwTo a masked thread" $ do
    release <- newEmptyMVar
    ready <- newEmptyMVar
    ended <- newEmptyMVar
    stubborn <- forkOn 1 $ do
      labelMe "masked"
      (uninterruptibleMask_ (putMVar ready () >> takeMVar release))
        `catch` \e -> const (pure ()) (e :: AsyncException)
      putMVar ended ()
    takeMVar ready
    waiting [("throws", killThread stubborn)] (putMVar release ())
    takeMVar ended
  phase "foreign call" $ waiting [("calls C", void (foreignSleep 1500))] (pure ())
  phase "interrupted foreign call" $ do
    called <- forkOn 1 (labelMe "calls C, is killed" >> void (breakableSleep 3000000))
    threadDelay 1500
    killThread called
  phase "yield" $ waiting [("gives way", replicateM_ 4 yield), ("gives way too", replicateM_ 4 yield)] (pure ())
  phase "stack overflow" $ waiting [("recurses", void (evaluate (deep 40000)))] (pure ())
  phase "heap block full" $ waiting [("allocates", void (evaluate (heavy 50000)))] (pure ())

-- | Starts all bodies on capability 1, lets them block, does what frees them
-- and waits until all have ended.
waiting :: [(String, IO ())] -> IO () -> IO ()
waiting bodies free = do
  doors <- forM bodies $ \(label, body) -> do
    done <- newEmptyMVar
    _ <- forkOn 1 (labelMe label >> body >> putMVar done ())
    pure done
  threadDelay 1500
  free
  mapM_ takeMVar doors

phase :: String -> IO () -> IO ()
phase what body = traceMarkerIO what >> body

labelMe :: String -> IO ()
labelMe label = myThreadId >>= (`labelThread` label)

-- | Long enough to be interrupted, in little space.
heavy :: Integer -> Integer
heavy n = foldr (\x k total -> k $! total + x * x) id [1 .. n] 0
{-# NOINLINE heavy #-}

-- | One stack frame per step.
deep :: Integer -> Integer
deep 0 = 0
deep n = n + deep (n - 1)
{-# NOINLINE deep #-}
