-- | Some 400 MB of live data in a copying heap: each major collection copies all of it, and nothing else runs meanwhile.
-- Remedy: the non-moving collector.
--
-- compile: -O -threaded
-- run: -N1 -l -A20m
-- first: gc-long-pause
-- also: gc-share
-- mended run: -N1 -l -A20m --nonmoving-gc
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Monad (foldM_)
import Data.Array.ST (newArray, runSTUArray)
import Data.Array.Unboxed (UArray)
import qualified Data.IntMap.Strict as IntMap
import Debug.Trace (traceMarkerIO)

type Cache = IntMap.IntMap (UArray Int Int)

entries :: Int
entries = 1250000

main :: IO ()
main = do
  let cache = IntMap.fromDistinctAscList [(key, entry key) | key <- [0 .. entries - 1]]
  IntMap.size cache `seq` traceMarkerIO "cache filled"
  foldM_ serve cache [1 .. 400]

-- | Replaces some entries by others: the cache stays as large as it is.
serve :: Cache -> Int -> IO Cache
serve cache turn = do
  let next = foldr (\key -> IntMap.insert key (entry (key + turn))) cache keys
      keys = map (\n -> (turn * 7919 + n * 104729) `mod` entries) [1 .. 300]
  next `seq` threadDelay 21000
  return next

-- | A quarter of a kilobyte.
entry :: Int -> UArray Int Int
entry key = runSTUArray (newArray (0, 28) key)
