-- | A small workshop on several capabilities: labelled workers, a job box
-- (MVar), a till (STM), sleeping, a foreign sleep, an asynchronous exception,
-- and collections asked for by hand besides those the allocation brings.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Conc
  (STM, TVar, atomically, labelThread, newTVarIO, readTVar, retry, writeTVar)
import System.Mem (performMajorGC, performMinorGC)

foreign import ccall safe "unistd.h usleep" foreignSleep :: CUInt -> IO CInt

main :: IO ()
main = do
  name "foreman"
  traceMarkerIO "opening · début"
  jobs <- newEmptyMVar
  till <- newTVarIO (0 :: Integer)
  doors <- forM [0 .. 2] $ \n -> door n ("worker " ++ show n) (worker n jobs till)
  cashier <- door 0 "cashier ☕" (awaitTotal till 12)
  forM_ [1 .. 12] $ \job -> do
    traceEventIO ("job " ++ show job ++ " → box")
    putMVar jobs (Just job)
    when (job == 6) $ traceMarkerIO "half time ½" >> performMinorGC
  replicateM_ 3 (putMVar jobs Nothing)
  mapM_ takeMVar doors
  takeMVar cashier
  dismissed
  performMajorGC
  traceMarkerIO "closing · конец"

-- | Takes jobs until it is given Nothing.
worker :: Int -> MVar (Maybe Integer) -> TVar Integer -> IO ()
worker n jobs till = takeMVar jobs >>= mapM_ (\job -> do
  traceEventIO ("START job " ++ show job)
  _ <- evaluate (length (show (product [1 .. 600 + 100 * job])))
  _ <- evaluate (foldr (\x s -> x + s) 0 [1 .. 4000 * job])
  if even job then threadDelay 300 else void (foreignSleep 300)
  atomically (readTVar till >>= writeTVar till . (+ 1))
  traceEventIO ("STOP job " ++ show job)
  worker n jobs till)

awaitTotal :: TVar Integer -> Integer -> IO ()
awaitTotal till wanted = do
  atomically $ readTVar till >>= \paid -> when (paid < wanted) (retry :: STM ())
  traceEventIO "till complete, 12 × 1 €"

-- | A sleeper on another capability that is sent away before its time is up.
dismissed :: IO ()
dismissed = do
  gone <- newEmptyMVar
  sleeper <- forkOn 2 $ do
    name "sleeper"
    threadDelay 10000000 `catch` \e -> traceEventIO ("woken: " ++ show (e :: AsyncException))
    putMVar gone ()
  threadDelay 2000
  killThread sleeper
  takeMVar gone

-- | A labelled thread on a capability, and the variable filled at its end.
door :: Int -> String -> IO () -> IO (MVar ())
door cap label body = do
  done <- newEmptyMVar
  _ <- forkOn cap (name label >> body `finally` putMVar done ())
  pure done

name :: String -> IO ()
name label = myThreadId >>= (`labelThread` label)
