/**
 * What passes between the program under test and every emulator of a test file, this process's and those of its
 * children: see record-exchanges.cjs.
 */
import { createRequire } from "node:module";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { openApiDocument } from "../../src/openapi/document.js";
import { createValidator } from "./openapi-validator.js";
import type { RecordedExchange } from "./record-exchanges.cjs";

const recorder = path.join(import.meta.dirname, "record-exchanges.cjs");
const variable = "COMANDA_TEST_EXCHANGES";
/** Of this process's servers; others of a test's own stand in for services that answer as none should. */
const ports = new Set<number>();
let folder: string | undefined;

/** From now on, in this process; and in a child with the variables of {@link recordingEnvironment}. */
export function startRecording(): void {
  folder = mkdtempSync(path.join(tmpdir(), "comanda-exchanges-"));
  process.env[variable] = folder;
  createRequire(import.meta.url)(recorder);
}

export function stopRecording(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export function watchPort(port: number): void {
  ports.add(port);
}

/** Empty where nothing is recorded. */
export function recordingEnvironment(): Record<string, string> {
  return folder === undefined
    ? {}
    : { [variable]: folder, NODE_OPTIONS: `--require ${JSON.stringify(recorder)}` };
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

/** What a public validator has against the recorded exchanges. */
export function mismatches(exchanges: readonly RecordedExchange[]): string[] {
  if (exchanges.length === 0) return [];
  const validate = createValidator(openApiDocument());
  // An answer that a fault made is not the service's.
  return exchanges
    .filter(({ fault }) => fault === undefined)
    .flatMap((exchange) => {
      const { method, path: target, status } = exchange;
      return validate(exchange).map((problem) => `${method} ${target} ${status}: ${problem}`);
    });
}
