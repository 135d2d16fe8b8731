-- | A leak by a map: a server notes each session and forgets none.
-- Remedy: sessions that have ended are deleted.
--
-- compile: -O -threaded
-- run: -N1 -l -A2m
-- first: heap-grows
-- mended arguments: remedy
module Main (main) where

import Control.Concurrent (threadDelay)
import Control.Exception (evaluate)
import Control.Monad (foldM_)
import qualified Data.Map.Strict as Map
import System.Environment (getArgs)

data Session = Session {user :: !Int, visited :: ![Int]}

type Sessions = Map.Map Int Session

main :: IO ()
main = do
  mended <- (== ["remedy"]) <$> getArgs
  foldM_ (minute mended) Map.empty [0 .. 299]

-- | Sessions begin; those of ten minutes ago end.
minute :: Bool -> Sessions -> Int -> IO Sessions
minute mended sessions now = do
  let begin = foldr (\number -> Map.insert number (session number)) sessions [now * perMinute .. (now + 1) * perMinute - 1]
      ended = fst (Map.split ((now - 10) * perMinute) begin)
      left = if mended then begin `Map.withoutKeys` Map.keysSet ended else begin
  _ <- evaluate (Map.size left)
  threadDelay 4000
  return left
 where
  perMinute = 400

session :: Int -> Session
session number = Session {user = number * 7919 `mod` 1000003, visited = pages}
 where
  pages = foldr (\page rest -> page `seq` page : rest) [] [number .. number + 9]
