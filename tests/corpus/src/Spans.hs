-- | User spans: nested, the same label in itself, instances that overlap,
-- stops that fit nothing, starts never stopped, spans of threads that move
-- and end, and collections in between.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread)
import System.Mem (performGC, performMinorGC)

main :: IO ()
main = do
  start "program"
  traceMarkerIO "phase: plain"
  within "outer" $ do
    within "inner" (work 300)
    within "inner" (work 400 >> performMinorGC)
    within "again" (work 100 >> within "again" (work 200))
  traceMarkerIO "phase: mismatched"
  stop "never started"
  start "crossed a" >> start "crossed b" >> work 200 >> stop "crossed a" >> work 200 >> stop "crossed b"
  start "twice" >> work 50 >> stop "twice" >> stop "twice"
  start "never stopped"
  traceMarkerIO "phase: instances"
  start "1 request" >> start "2 request" >> work 200 >> start "3 request" >> stop "1 request" >> performGC >> stop "3 request"
  start "4 request" -- 2 and 4 stay open
  start "request" >> stop "5 request" >> work 10 >> stop "request"
  start "007 padded" >> work 10 >> stop "7 padded"
  start "12" >> work 10 >> stop "12"
  start "-3 negative" >> work 10 >> stop "-3 negative"
  start "3x no number" >> work 10 >> stop "3x no number"
  start "  blanks  " >> work 10 >> stop "blanks"
  start "two words here" >> work 10 >> stop "two words here"
  start "λ → ☕" >> work 10 >> stop "λ → ☕"
  traceEventIO "START" >> traceEventIO "START " >> traceEventIO "STARTED x" >> traceEventIO "start low" >> traceEventIO "STOP" >> traceEventIO "STOP "
  traceMarkerIO "phase: moving"
  done <- newEmptyMVar
  forM_ [0 .. 7 :: Int] $ \n -> forkIO $ do
    myThreadId >>= (`labelThread` ("mover " ++ show n))
    start (show n ++ " job")
    forM_ [1 .. 6 :: Int] $ \k -> do
      within "step" $ do
        work (150 + 30 * n)
        here <- threadCapability =<< myThreadId
        when (even k) (threadDelay 300)
        there <- threadCapability =<< myThreadId
        when (fst here /= fst there) (traceEventIO "moved")
      when (k == 3 && n == 5) (start "dies open")
    when (n == 2) performMinorGC
    stop (show n ++ " job")
    putMVar done ()
  replicateM_ 8 (takeMVar done)
  traceMarkerIO "phase: moving"
  start "handed over" -- stopped by another thread: fits nothing there
  _ <- forkIO (stop "handed over" >> putMVar done ())
  takeMVar done
  killed <- forkIO (start "killed in" >> threadDelay 10000000 >> stop "killed in")
  threadDelay 500
  killThread killed
  within "collection" performGC
  stop "program"
  traceMarkerIO "end"

start, stop :: String -> IO ()
start = traceEventIO . ("START " ++)
stop = traceEventIO . ("STOP " ++)

within :: String -> IO a -> IO a
within label body = start label *> body <* stop label

work :: Int -> IO ()
work n = void (evaluate (length (show (product [1 .. toInteger n]))))
