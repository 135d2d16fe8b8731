-- | Fills the heap, lets go of it, and collects until the runtime has given memory back to the system; on two capabilities, of
-- which one is disabled for a while.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import System.Mem (performMajorGC)

main :: IO ()
main = do
  setNumCapabilities 2
  kept <- newIORef []
  forM_ [1 .. 2 :: Int] $ \time -> do
    xs <- evaluate (force [fromIntegral time .. 200000])
    writeIORef kept xs
    performMajorGC
    total <- sum <$> readIORef kept
    when (total < 0) $ print total
    writeIORef kept []
    replicateM_ 4 $ performMajorGC >> threadDelay 2000
    setNumCapabilities 1
    threadDelay 2000
    setNumCapabilities 2
  where
    force :: [Integer] -> [Integer]
    force xs = length xs `seq` xs
