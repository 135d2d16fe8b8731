{-# LANGUAGE MagicHash, UnboxedTuples #-}
-- | Messages given to the runtime as bytes: not UTF-8, and binary ones.
module Main (main) where

import GHC.Exts
import GHC.IO (IO (..))

main :: IO ()
main = do
  message "plain"#
  message "Latin-1: caf\xE9"#
  message "lone continuation \x80, overlong \xC0\x80\xC0\xAF, half a pair \xED\xA0\x80"#
  marker "cut short: \xE2\x82"#
  marker "\xFF\xFE"#
  binary "\xDE\xAD\xBE\xEF\0\1\2\3"# 8#
  binary ""# 0#
  binary "text that is not a message"# 26#

message, marker :: Addr# -> IO ()
message bytes = IO (\s -> (# traceEvent# bytes s, () #))
marker bytes = IO (\s -> (# traceMarker# bytes s, () #))

binary :: Addr# -> Int# -> IO ()
binary bytes count = IO (\s -> (# traceBinaryEvent# bytes count s, () #))
