-- | Prints where to cut a log, as a number of bytes to keep:
-- "header": inside the header; "head": inside the tag and time of a record;
-- "payload": inside what follows them; "block": after the last block of a
-- capability, where a killed program's log ends; "end": nowhere, the end mark.
-- Fails when the log is not sound up to the end mark.
module Main (main) where

import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as Char8
import qualified Data.Map as Map
import Data.Bits (shiftL, (.|.))
import System.Environment (getArgs)

data Record = Record { start, headSize, end, tag :: Int }

main :: IO ()
main = do
  [how, file] <- getArgs
  bytes <- B.readFile file
  let records = recordsOf bytes
      late = dropWhile ((< B.length bytes * 3 `div` 5) . start) records
      whole = [r | r <- late, end r - start r >= headSize r + 8, tag r /= blockMarker]
  print $ case how of
    "header" -> B.length (fst (B.breakSubstring (Char8.pack "datb") bytes)) `div` 2
    "head" -> start (head whole) + 5
    "payload" -> (start (head whole) + headSize (head whole) + end (head whole)) `div` 2
    "end" -> end (last records)
    "block" -> last [start r | r <- records, tag r == blockMarker, number 2 (start r + 22) bytes == 0xffff]
    _ -> error ("unknown place " ++ how)
  where
    blockMarker = 18

-- | All records after the header, as their declared sizes frame them.
recordsOf :: B.ByteString -> [Record]
recordsOf bytes = go (B.length header + 4)
  where
    (header, _) = B.breakSubstring (Char8.pack "datb") bytes
    sizes = declared 8 bytes
    go at = case number 2 at bytes of
      _ | at + 2 > B.length bytes -> error "no end mark"
      0xffff -> []
      kind -> Record { start = at, headSize = size, end = next, tag = kind } : go next
        where
          (size, next) = case Map.findWithDefault (error ("undeclared event " ++ show kind)) kind sizes of
            0xffff -> (12, at + 12 + number 2 (at + 10) bytes)
            fixed -> (10, at + 10 + fixed)

-- | Payload sizes by event number, from the header's entries at this offset on.
declared :: Int -> B.ByteString -> Map.Map Int Int
declared at bytes
  | B.take 4 (B.drop at bytes) /= Char8.pack "etb\0" = Map.empty
  | otherwise = Map.insert (number 2 (at + 4) bytes) (number 2 (at + 6) bytes) (declared next bytes)
  where
    extra = at + 12 + number 4 (at + 8) bytes
    next = extra + 4 + number 4 extra bytes + 4

-- | A big-endian number of so many bytes at an offset.
number :: Int -> Int -> B.ByteString -> Int
number count at = B.foldl' (\n b -> n `shiftL` 8 .|. fromIntegral b) 0 . B.take count . B.drop at
