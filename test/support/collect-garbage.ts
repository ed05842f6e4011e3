import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** SQLite's drop-in keeps the files of a closed connection open until its statements are collected, one event later. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  await setImmediate();
}
