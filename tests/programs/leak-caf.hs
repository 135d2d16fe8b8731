-- | A leak by a CAF: a list at the top level of a module is kept for as long as some code still refers to it. The jobs use it
-- further and further out, so all of it that was ever evaluated stays in memory.
-- Remedy: a function that makes the part which a job needs.
--
-- compile: -O -threaded
-- run: -N1 -l -A2m
-- first: heap-grows
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Exception (evaluate)
import Control.Monad (forM_)
import Debug.Trace (traceMarkerIO)
import System.Environment (getArgs)

main :: IO ()
main = do
  arguments <- getArgs
  let part = if arguments == ["remedy"] then checksumsFrom else checksumsOfTable
  forM_ [0 .. 299] $ \job -> do
    _ <- evaluate (sum (part (job * perJob)))
    threadDelay 4000
  traceMarkerIO "all jobs done"

perJob :: Int
perJob = 2000

-- | The leak: a constant applicative form.
checksums :: [Int]
checksums = map checksum [0 ..]
{-# NOINLINE checksums #-}

checksumsOfTable, checksumsFrom :: Int -> [Int]
checksumsOfTable first = take perJob (drop first checksums)
checksumsFrom first = map checksum [first .. first + perJob - 1]

checksum :: Int -> Int
checksum n = sum (takeWhile (> 0) (iterate (`div` 7) n)) `mod` 1009
