-- | The number of capabilities goes 1, 3, 2, 4, 1 while threads keep working.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)
import Debug.Trace (traceMarkerIO)

main :: IO ()
main = forM_ [1, 3, 2, 4, 1] $ \count -> do
  traceMarkerIO ("capabilities: " ++ show count)
  setNumCapabilities count
  doors <- forM [1 .. 4] $ \n -> do
    done <- newEmptyMVar
    _ <- forkIO $ do
      _ <- evaluate (sum (map (`mod` 7) [1 .. 40000 * n :: Integer]))
      threadDelay 500
      putMVar done ()
    pure done
  mapM_ takeMVar doors
