-- | A log that disturbs its program: a message for each step of an inner loop, and the log is compressed while it is written. Each time
-- a buffer is full the program waits until the compressor has read it.
-- Remedy: a message for each thousand steps.
--
-- compile: -O -threaded
-- run: -N1 -l
-- log through: gzip -9
-- first: log-writing
-- too large for the corpus: 10 MB, since a buffer of the runtime is written when it has 2 MB
-- mended arguments: remedy
module Main (main) where

import Control.Monad (foldM_, when)
import Debug.Trace (traceEventIO)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  foldM_ (step (if mended then 1000 else 1)) 1 [1 .. 200000]

step :: Int -> Int -> Int -> IO Int
step every number n = do
  let next = (number * 6364136223846793005 + 1442695040888963407) `mod` 1000000007
  when (n `mod` every == 0) (traceEventIO ("step " ++ show n ++ ": the number is now " ++ show next))
  return $! next
