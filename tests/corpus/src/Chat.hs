-- | A chat room: each guest has a thread that reads what is typed from a pipe, and one that writes what was said; a clerk writes the
-- minutes from an OS thread of its own, and meanwhile the number of capabilities changes. So threads wait in every way, and move.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Conc (TVar, atomically, labelThread, newTVarIO, readTVar, retry, writeTVar)
import System.IO
import System.Posix.IO (createPipe, fdToHandle)
import System.Timeout (timeout)

foreign import ccall safe "unistd.h usleep" foreignSleep :: CUInt -> IO CInt

data Guest = Guest {name :: String, keys, ears :: Handle, inbox :: TVar [String], left :: MVar ()}

main :: IO ()
main = do
  labelMe "main"
  minutes <- newMVar (0 :: Int)
  paper <- newEmptyMVar
  clerkGone <- newEmptyMVar
  let fork = if rtsSupportsBoundThreads then forkOS else forkIO
  _ <- fork (clerk paper `finally` putMVar clerkGone ())
  room <- mapM enter [1 .. 4]
  -- One thunk, which all of them want at the same time.
  let manners = sum (map heavy [300 .. 340])
  readers <- forM room (\guest -> forkIO (readsFor guest room manners minutes paper))
  writers <- forM room (forkIO . writes)
  forM_ [1 .. 4] $ \turn -> do
    traceMarkerIO ("round " ++ show turn)
    when rtsSupportsBoundThreads (setNumCapabilities ([3, 1, 4, 2] !! (turn - 1)))
    forM_ room (\guest -> hPutStrLn (keys guest) (show turn) >> hFlush (keys guest))
    threadDelay 1200
  -- Most of them hang up; the last one is silent, and is thrown out while it reads.
  forM_ (init room) (\guest -> hClose (keys guest) >> takeMVar (left guest))
  traceMarkerIO "thrown out"
  throwTo (last readers) (userError "silent for too long")
  takeMVar (left (last room))
  mapM_ killThread writers
  putMVar paper ""
  takeMVar clerkGone
  said <- readMVar minutes
  hPutStrLn stderr (show said ++ " messages")

enter :: Int -> IO Guest
enter number = do
  (from, to) <- createPipe
  Guest ("guest " ++ show number) <$> fdToHandle to <*> fdToHandle from <*> newTVarIO [] <*> newEmptyMVar

-- | Reads what a guest types, and gives it to all others; until it hangs up or is thrown out.
readsFor :: Guest -> [Guest] -> Integer -> MVar Int -> MVar String -> IO ()
readsFor guest room manners minutes paper = (labelMe (name guest ++ " reads") >> loop) `catch` over `finally` putMVar (left guest) ()
 where
  over e = const (traceEventIO ("STOP stay " ++ name guest)) (e :: IOException)
  loop = do
    line <- hGetLine (ears guest)
    let request = line ++ " message"
    traceEventIO ("START " ++ request)
    when (line == "1") (traceEventIO ("START stay " ++ name guest))
    _ <- evaluate manners
    modifyMVar_ minutes $ \count -> do
      traceEventIO "START minutes"
      yield
      _ <- timeout 2000 (putMVar paper line)
      traceEventIO "STOP minutes"
      pure $! count + 1
    forM_ room (\other -> atomically (readTVar (inbox other) >>= writeTVar (inbox other) . (line :)))
    traceEventIO ("STOP " ++ request)
    loop

-- | Writes what was said, as soon as anything was.
writes :: Guest -> IO ()
writes guest = do
  labelMe (name guest ++ " writes")
  forever $ do
    news <- atomically $ do
      said <- readTVar (inbox guest)
      when (null said) retry
      writeTVar (inbox guest) []
      pure said
    traceEventIO "START writing"
    _ <- evaluate (heavy (400 * toInteger (length news)))
    traceEventIO "STOP writing"

-- | Takes the minutes, with a slow pen; where there are OS threads, on one of its own.
clerk :: MVar String -> IO ()
clerk paper = labelMe "clerk" >> loop
 where
  loop = do
    line <- takeMVar paper
    unless (null line) (foreignSleep 150 >> loop)

labelMe :: String -> IO ()
labelMe label = myThreadId >>= (`labelThread` label)

-- | Takes long enough to be interrupted, in little space.
heavy :: Integer -> Integer
heavy n = foldr (\x k total -> k $! total + x * x) id [1 .. n] 0
{-# NOINLINE heavy #-}
