-- | Healthy: a parallel computation in chunks that are neither few nor many, on as many capabilities as the machine has cores.
--
-- compile: -O -threaded -feager-blackholing
-- run: -N2 -lsgf -A16m
module Main (main) where

import Control.Exception (evaluate)
import GHC.Conc (par, pseq)

main :: IO ()
main = do
  let sums = [sum [collatz m 0 | m <- [n * 40000 + 1 .. (n + 1) * 40000]] | n <- [0 .. 99]]
  total <- evaluate (foldr par () sums `pseq` sum sums)
  print total

collatz :: Int -> Int -> Int
collatz 1 count = count
collatz n count = collatz (if even n then n `quot` 2 else 3 * n + 1) (count + 1)
