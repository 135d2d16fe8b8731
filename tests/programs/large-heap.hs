-- | Some 300 MB of live data in a copying heap: each major collection copies all of it, and nothing else runs meanwhile.
-- Remedy: the non-moving collector.
--
-- compile: -O -threaded
-- run: -N1 -l -A16m
-- first: gc-long-pause
-- also: gc-share heap-grows
-- mended run: -N1 -l -A16m --nonmoving-gc
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Monad (foldM_)
import qualified Data.IntMap.Strict as IntMap
import Debug.Trace (traceMarkerIO)

type Cache = IntMap.IntMap [Int]

entries :: Int
entries = 2000000

main :: IO ()
main = do
  let cache = IntMap.fromDistinctAscList [(key, entry key) | key <- [0 .. entries - 1]]
  IntMap.size cache `seq` traceMarkerIO "cache filled"
  foldM_ serve cache [1 .. 300]

-- | Replaces some entries by others: the cache stays as large as it is.
serve :: Cache -> Int -> IO Cache
serve cache turn = do
  let next = foldr (\key -> IntMap.insert key (entry (key + turn))) cache keys
      keys = map (\n -> (turn * 7919 + n * 104729) `mod` entries) [1 .. 3000]
  next `seq` threadDelay 20000
  return next

entry :: Int -> [Int]
entry key = foldr (\n rest -> n `seq` n : rest) [] [key .. key + 7]
