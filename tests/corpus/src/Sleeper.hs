-- | Works a little, says so on standard output, then waits to be killed.
module Main (main) where

import Control.Concurrent (threadDelay)
import Debug.Trace (traceEventIO)
import System.IO (hFlush, stdout)

main :: IO ()
main = do
  mapM_ (traceEventIO . ("step " ++) . show) [1 .. 10 :: Int]
  putStrLn "ready"
  hFlush stdout
  threadDelay 60000000
