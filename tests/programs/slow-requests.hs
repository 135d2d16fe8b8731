-- | Now and then a request takes hundreds of times as long: a report is made while the lock that requests need is held.
-- Remedy: the report is made of a copy, without the lock.
--
-- compile: -O -threaded
-- run: -N2 -l -A4m
-- first: slow-requests
-- also: no-parallelism
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM_)
import Data.Char (ord)
import qualified Data.IntMap.Strict as IntMap
import Debug.Trace (traceEventIO)
import GHC.Conc (labelThread)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  visits <- newMVar IntMap.empty
  reporter <- forkOn 1 (report mended visits)
  labelThread reporter "reporter"
  served <- newEmptyMVar
  server <- forkOn 0 $ do
    forM_ [1 .. 400] $ \number -> do
      threadDelay 1500
      traceEventIO ("START " ++ show number ++ " request")
      page <- evaluate (steps number)
      modifyMVar_ visits (evaluate . IntMap.insertWith (+) page 1)
      traceEventIO ("STOP " ++ show number ++ " request")
    putMVar served ()
  labelThread server "server"
  takeMVar served

report :: Bool -> MVar (IntMap.IntMap Int) -> IO ()
report mended visits = do
  threadDelay 80000
  if mended
    then readMVar visits >>= write
    else withMVar visits write
  report mended visits
 where
  write counts = () <$ evaluate (statistics (IntMap.size counts))

-- | Takes some 100 ms.
statistics :: Int -> Int
statistics seed = sum [ord letter | n <- [seed .. seed + 40000], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 400 :: Int]
{-# NOINLINE statistics #-}

-- | A number below 500, after some work.
steps :: Int -> Int
steps n = sum [collatz m 0 | m <- [n + 1 .. n + 1500]] `mod` 500
{-# NOINLINE steps #-}

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
