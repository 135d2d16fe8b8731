-- | Four capabilities with a worker each; two of them are disabled for a while, then all but one, then one comes back.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_)

main :: IO ()
main = forM_ [4, 2, 4, 1, 2] $ \count -> do
  setNumCapabilities count
  doors <- forM [0 .. count - 1] $ \n -> do
    done <- newEmptyMVar
    _ <- forkOn n $ do
      _ <- evaluate (sum (map (`mod` 7) [1 .. 100000 + toInteger (count * n)]))
      putMVar done ()
    pure done
  mapM_ takeMVar doors
  -- Nobody works: what is enabled is idle.
  threadDelay 3000
