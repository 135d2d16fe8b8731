-- | Sparks of every fate: run at home or stolen, dud (already a value), fizzled
-- (evaluated before its turn), collected (nobody holds it any more) and, when
-- asked with "flood", overflowed (more than the pool takes).
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Exception (evaluate)
import Control.Monad (forM_, when)
import Debug.Trace (traceMarkerIO)
import GHC.Conc (par, pseq)
import System.Environment (getArgs)
import System.Mem (performMajorGC)

main :: IO ()
main = do
  flood <- elem "flood" <$> getArgs
  traceMarkerIO "useful"
  _ <- evaluate (leaves 15)
  traceMarkerIO "while main sleeps"
  let results = map slow [30 .. 39]
  _ <- evaluate (foldr par () results)
  threadDelay 3000
  _ <- evaluate (sum results)
  traceMarkerIO "dud"
  forM_ [1 .. 5 :: Integer] $ \n -> n `seq` evaluate (n `par` n)
  traceMarkerIO "fizzled"
  forM_ [1 .. 5] $ \n -> let x = slow n in evaluate (x `par` (x `pseq` x))
  traceMarkerIO "collected"
  forM_ [1 .. 5] $ \n -> evaluate (slow (n + 20) `par` n)
  performMajorGC
  when flood $ do
    traceMarkerIO "overflowed"
    _ <- evaluate (foldr (\n rest -> slow n `par` rest) () [1 .. 300])
    performMajorGC

-- | A tree of work whose left half is offered to others at each fork.
leaves :: Integer -> Integer
leaves n
  | n < 8 = slow n
  | otherwise = left `par` (right `pseq` (left + right))
  where
    left = leaves (n - 1)
    right = leaves (n - 2)
{-# NOINLINE leaves #-}

slow :: Integer -> Integer
slow n = sum [x * x `mod` 7 | x <- [n .. 10000 + n]]
{-# NOINLINE slow #-}
