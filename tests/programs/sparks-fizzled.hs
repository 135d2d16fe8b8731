-- | Sparks that fizzle: each element is sparked and then at once evaluated by the thread that sparked it, so nothing is left for the
-- other capability.
-- Remedy: spark all the chunks first, evaluate them afterwards.
--
-- compile: -O -threaded -feager-blackholing
-- run: -N2 -l -A4m
-- first: sparks-wasted
-- also: no-parallelism sparks-few
-- mended arguments: remedy
module Main (main) where

import Control.Exception (evaluate)
import GHC.Conc (par, pseq)
import System.Environment (getArgs)

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  total <- evaluate (sum (if mended then inChunks [1 .. count] else eachAtOnce [1 .. count]))
  print total
 where
  count = 3000

-- | The fault: the spark of an element is created in the moment in which the element is needed.
eachAtOnce :: [Int] -> [Int]
eachAtOnce = map (\n -> let y = steps n in y `par` y)

inChunks :: [Int] -> [Int]
inChunks elements = foldr spark () sums `pseq` sums
 where
  sums = [sum (map steps chunk) | chunk <- chunks 50 elements]
  spark chunk rest = chunk `par` rest

chunks :: Int -> [a] -> [[a]]
chunks _ [] = []
chunks size elements = let (chunk, rest) = splitAt size elements in chunk : chunks size rest

-- | Steps of the Collatz sequences of a thousand numbers, together.
steps :: Int -> Int
steps n = sum [collatz m 0 | m <- [n * 1000 .. n * 1000 + 999]]
{-# NOINLINE steps #-}

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
