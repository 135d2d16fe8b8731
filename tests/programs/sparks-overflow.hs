-- | A spark for each element of a long list: the pool holds 4096 for each capability, the others are lost.
-- Remedy: a spark for each chunk.
--
-- compile: -O -threaded -feager-blackholing
-- run: -N2 -l -A4m
-- first: sparks-overflow
-- also: no-parallelism
-- mended arguments: remedy
module Main (main) where

import Control.Exception (evaluate)
import GHC.Conc (par, pseq)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  total <- evaluate (parallelSum (if mended then 500 else 1) [1 .. 40000])
  print total

parallelSum :: Int -> [Int] -> Int
parallelSum size elements = foldr par () sums `pseq` sum sums
 where
  sums = [sum (map steps chunk) | chunk <- chunks size elements]

chunks :: Int -> [a] -> [[a]]
chunks _ [] = []
chunks size elements = let (chunk, rest) = splitAt size elements in chunk : chunks size rest

steps :: Int -> Int
steps n = sum [collatz m 0 | m <- [n * 100 .. n * 100 + 99]]
{-# NOINLINE steps #-}

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
