-- | An `unsafe` foreign call of 50 ms: its capability cannot stop for a collection until the call returns, and all others wait.
-- Remedy: a `safe` call.
--
-- compile: -O -threaded
-- run: -N2 -l -A1m
-- first: gc-slow-sync
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM_)
import Data.Char (ord)
import Foreign.C.Types (CInt (..), CUInt (..))
import GHC.Conc (labelThread)
import System.Environment (getArgs)

-- | Stands for a query of a database.
foreign import ccall unsafe "unistd.h usleep" queryUnsafe :: CUInt -> IO CInt

foreign import ccall safe "unistd.h usleep" querySafe :: CUInt -> IO CInt

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  done <- newEmptyMVar
  asker <- forkOn 1 $ do
    forM_ [1 .. 8 :: Int] $ \_ -> do
      _ <- if mended then querySafe 50000 else queryUnsafe 50000
      threadDelay 20000
    putMVar done ()
  labelThread asker "asker"
  forM_ [0, 1] $ \capability -> do
    worker <- forkOn capability (forM_ [1 ..] $ \n -> evaluate (digits n))
    labelThread worker ("worker " ++ show capability)
  takeMVar done

-- | Allocates 50 KB or so, and takes some 100 µs.
digits :: Int -> Int
digits seed = sum [ord letter | n <- [seed .. seed + 200], letter <- show (power n)]
 where
  power n = foldl (\p k -> (p * n + k) `mod` 1000003) 1 [1 .. 400 :: Int]
{-# NOINLINE digits #-}
