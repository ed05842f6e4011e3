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
/** Of this process's servers; others of a test's own stand in for services that answer as none should. */
const ports = new Set<number>();
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
  ports.clear();
  Reflect.deleteProperty(process.env, variable);
}

/** Records what a server of this process is asked and answers. */
export function watchPort(port: number): void {
  startRecording();
  ports.add(port);
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
    .filter(({ pid, port }) => pid !== process.pid || ports.has(port))
    .sort((one, other) => one.at - other.at);
}
