-- | Texts that are hard to show: empty, long, with control characters, bidi
-- marks, markup; spans opened and closed by START and STOP; too long for a record.
module Main (main) where

import Control.Concurrent (myThreadId, threadDelay)
import Debug.Trace (traceEventIO, traceMarkerIO)
import GHC.Conc (labelThread)

main :: IO ()
main = do
  me <- myThreadId
  labelThread me "first label"
  labelThread me (concat (replicate 4000 "a label too long ")) -- 68 000 bytes: not written
  labelThread me (concat (replicate 500 "ein Name ohne Ende, größer, ")) -- 15 000 bytes
  mapM_ traceEventIO texts
  mapM_ traceMarkerIO texts
  traceEventIO (replicate 65535 'x') -- the longest there can be
  traceEventIO (replicate 66000 'y') -- not written
  traceEventIO (concat (replicate 300 "длинно ")) -- 3 900 bytes
  labelThread me "<b>last</b> label"
  mapM_ (\text -> traceEventIO text >> threadDelay 200) spans

texts :: [String]
texts =
  [ ""
  , " "
  , "two\nlines"
  , "tab\there, bell\a, escape \ESC[31mred\ESC[0m, delete \DEL"
  , "cut at\0the NUL"
  , "right to left: \x202Egnirts\x202C, isolate \x2067\x05D0\x05D1\x2069, mark \x200F"
  , "zero width: a\x200B\&b\xFEFF\&c"
  , "combined e\x0301, family \x1F468\x200D\x1F469\x200D\x1F467, flag \x1F1E9\x1F1EA"
  , "<script>alert('1')</script> & <img src=x onerror=alert(2)>"
  , "=1+1, \"quoted\", semi;colon, comma,"
  , "../../etc/passwd %s %n ${HOME} \\u0041"
  , "line separator \x2028, paragraph separator \x2029, next line \x0085"
  ]

-- | Proper nesting, two instances told apart by a number, one crossing, one never
-- closed, one never opened, one without a name.
spans :: [String]
spans =
  [ "START outer", "START inner", "STOP inner", "STOP outer"
  , "START1 load", "START2 load", "STOP1 load", "STOP2 load"
  , "START left", "START right", "STOP left", "STOP right"
  , "START again", "START again", "STOP again", "STOP again"
  , "START ", "STOP "
  , "STOP never opened", "START never closed"
  ]
