/**
 * What passes between the program under test and every emulator of a test file, this process's and those of its
 * children: see record-exchanges.cjs.
 */
import { createRequire } from "node:module";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { RecordedExchange } from "./record-exchanges.cjs";

const recorder = path.join(import.meta.dirname, "record-exchanges.cjs");
const variable = "COMANDA_TEST_EXCHANGES";
/**
 * When this process's emulators listened, and where. Others of a test's own, which may get the port of one that has ended,
 * stand in for services that answer as none should.
 */
const watches = new Set<Watch>();
interface Watch {
  readonly port: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  until: number;
}
let folder: string | undefined;

/** Is anything recorded in this test file? It is from the first emulator or process on that it starts. */
export function isRecording(): boolean {
  return folder !== undefined;
}

function startRecording(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(path.join(tmpdir(), "comanda-exchanges-"));
  process.env[variable] = folder;
  createRequire(import.meta.url)(recorder);
  return folder;
}

export function stopRecording(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
  watches.clear();
  Reflect.deleteProperty(process.env, variable);
}

/**
 * Records what a server of this process is asked and answers.
 *
 * @returns to be called when it has ended
 */
export function watchPort(port: number): () => void {
  startRecording();
  const watch: Watch = { port, from: Date.now(), until: Infinity };
  watches.add(watch);
  return () => {
    watch.until = Date.now();
  };
}

/** What a child's environment needs for its servers to be recorded. */
export function recordingEnvironment(): Record<string, string> {
  return { [variable]: startRecording(), NODE_OPTIONS: `--require ${JSON.stringify(recorder)}` };
}

/** Oldest first. */
export function recordedExchanges(): RecordedExchange[] {
  const files = folder === undefined ? [] : readdirSync(folder).map((name) => path.join(folder ?? "", name));
  return files
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedExchange)
    .filter((exchange) => exchange.pid !== process.pid || isWatched(exchange))
    .sort((one, other) => one.at - other.at);
}

function isWatched({ port, at }: Pick<RecordedExchange, "port" | "at">): boolean {
  return [...watches].some((watch) => watch.port === port && watch.from <= at && at <= watch.until);
}
