/**
 * Which environments refuse half a year. How the service counts 6 months is not shown (section 8): one that counts 180
 * days refuses 181, which costs a call. It is remembered for some months, since a service may change.
 */
import { createHash } from "node:crypto";
import path from "node:path";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { StateFolder } from "../state-folder.js";

const rememberedMs = 90 * 24 * 60 * 60_000;

/** @param environment its address */
export function refusesHalfYears(data: StateFolder, environment: string): boolean {
  const at = Date.parse(readMark(data, fileOf(data, environment)));
  return !Number.isNaN(at) && data.clock.now() - at < rememberedMs;
}

/** Never fails: where it can't be written, the next run finds out anew. */
export function rememberRefusedHalfYear(data: StateFolder, environment: string): void {
  try {
    const now = new Date(data.clock.now()).toISOString();
    data.files.write(fileOf(data, environment), `${now} ${environment}\n`, { durable: false });
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    data.warn(t`${error.message} That the service refuses half a year is not remembered.`);
  }
}

function readMark(data: StateFolder, file: string): string {
  try {
    return data.files.read(file)?.split(" ")[0] ?? "";
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return "";
  }
}

function fileOf(data: StateFolder, environment: string): string {
  const digest = createHash("sha256").update(environment).digest("hex").slice(0, 32);
  return path.join(data.path, "half-years", digest);
}
