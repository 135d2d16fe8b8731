-- | One giant spark: the ranges are split by where they begin, and the last has nearly all of the work. At the end one capability
-- evaluates it, and the others have nothing to do.
-- Remedy: ranges of equal work.
--
-- compile: -O -threaded -feager-blackholing -fno-omit-yields
-- run: -N2 -lsgf -A4m
-- first: sparks-uneven
-- also: no-parallelism gc-slow-sync
-- mended arguments: remedy
module Main (main) where

import Control.Exception (evaluate)
import GHC.Conc (par, pseq)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  let ends = if mended then [0, 50000 .. 3200000] else map (10000 *) [0 .. 32] ++ [3200000]
      sums = [collatzSum from to | (from, to) <- zip ends (tail ends)]
  total <- evaluate (foldr par () sums `pseq` sum sums)
  print total

collatzSum :: Int -> Int -> Int
collatzSum from to = sum [collatz m 0 | m <- [from + 1 .. to]]

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
