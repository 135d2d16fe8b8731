-- | A heap that grows in steps of different make, is partly dropped and grows
-- again: lists, maps, strings, arrays of bytes, functions and unread thunks.
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Exception (evaluate)
import Control.Monad (forM_)
import Data.IORef
import qualified Data.ByteString.Char8 as Bytes
import qualified Data.Map as Map
import Debug.Trace (traceMarkerIO)
import System.Mem (performMajorGC)

data Parcel = Parcel { weight :: !Int, label :: String, route :: Int -> Int }

main :: IO ()
main = do
  kept <- newIORef []
  forM_ [1 .. 3 :: Int] $ \turn -> do
    traceMarkerIO ("turn " ++ show turn)
    let parcels = pack turn
        index = indexed parcels
        letters = written turn
    _ <- evaluate (sum (map weight parcels) + Map.size index + sum (map Bytes.length letters))
    modifyIORef kept (parcels :)
    performMajorGC
    threadDelay 4000
    _ <- evaluate (sum [route p (length (label p)) | p <- parcels])
    _ <- evaluate (Map.foldr (+) 0 index + length letters)
    performMajorGC
  traceMarkerIO "delivered"
  writeIORef kept []
  performMajorGC
  threadDelay 4000

pack :: Int -> [Parcel]
pack turn = [Parcel n ("parcel " ++ show n) (+ n) | n <- [1 .. 1500 * turn]]
{-# NOINLINE pack #-}

indexed :: [Parcel] -> Map.Map Int Int
indexed parcels = Map.fromList [(weight p * 7 `mod` 10007, weight p) | p <- parcels]
{-# NOINLINE indexed #-}

written :: Int -> [Bytes.ByteString]
written turn = [Bytes.replicate (64 * turn) c | c <- take 200 (cycle ['a' .. 'z'])]
{-# NOINLINE written #-}
