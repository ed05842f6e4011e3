/**
 * Another process of this program runs the statement: SQLite can't be interrupted from within its own process, and a
 * process can be ended at any moment. It writes its rows in lines of several, and waits until they are read.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { ComandaError, exitCodeOf, type ErrorCode } from "../../shared/errors.js";
import { isObject, parseJson } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import { readBySql, type SqlValue } from "../../state/sqlite/sql-reader.js";
import type { Context } from "../../toolkit/context.js";

/** The variable names the file for the reading process. */
export const readerVariable = "COMANDA_SQL_READER";

const rowsOfLine = 100;

export type SqlRow = readonly SqlValue[];

/** The columns come first, then the rows, several at a time. */
export type SqlPart = { readonly columns: readonly string[] } | { readonly rows: readonly SqlRow[] };

/** The reading process writes these lines. */
export function* readLines(file: string, statement: string): Generator<string> {
  try {
    const { columns, rows } = readBySql(file, statement);
    yield JSON.stringify({ columns });
    let rowsOfPart: SqlRow[] = [];
    for (const row of rows) {
      rowsOfPart.push(row);
      if (rowsOfPart.length < rowsOfLine) continue;
      yield JSON.stringify({ rows: rowsOfPart });
      rowsOfPart = [];
    }
    yield JSON.stringify({ rows: rowsOfPart });
    yield JSON.stringify({ isWhole: true });
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    const { code, message, hint } = error;
    yield JSON.stringify({ code, message, hint });
  }
}

/**
 * @throws {ComandaError} as `readBySql`; `invalid_input` where the statement takes too long
 * @throws the signal's reason
 */
export async function* readParts(
  { self: [executable, ...first], env, signal }: Pick<Context, "self" | "env" | "signal">,
  { file, statement, maxMs }: { readonly file: string; readonly statement: string; readonly maxMs: number },
): AsyncGenerator<SqlPart> {
  const limit = AbortSignal.timeout(maxMs);
  const reader = spawn(executable, [...first, "sql", "-"], {
    env: { ...env, [readerVariable]: file },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const end = () => reader.kill("SIGKILL");
  const stop = AbortSignal.any([limit, signal]);
  stop.addEventListener("abort", end);
  const failure = new Promise<Error>((resolve) => reader.on("error", resolve));
  // The process may end before it has read the whole statement.
  reader.stdin.on("error", () => undefined).end(statement);
  let isWhole = false;
  try {
    for await (const line of createInterface({ input: reader.stdout })) {
      stop.throwIfAborted();
      const part = parseJson(line);
      isWhole = isObject(part) && part["isWhole"] === true;
      if (isPart(part)) yield part;
      else if (!isWhole) throw errorIn(part);
    }
    if (!isWhole && !stop.aborted) throw await Promise.race([failure, Promise.resolve(readerEndedError())]);
    stop.throwIfAborted();
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw signal.aborted ? signal.reason : error;
    throw new ComandaError("invalid_input", t`The statement takes longer than ${maxMs / 1000} s.`, {
      hint: t`Narrow it down by store and date, or give it more time: --max-time 5m`,
    });
  } finally {
    stop.removeEventListener("abort", end);
    end();
  }
}

function readerEndedError(): ComandaError {
  return new ComandaError("internal", t`The process that reads has ended by itself.`);
}

function isPart(value: unknown): value is SqlPart {
  return isObject(value) && (Array.isArray(value["columns"]) || Array.isArray(value["rows"]));
}

function errorIn(value: unknown): Error {
  const { code, message, hint } = isObject(value) ? value : {};
  if (!isCode(code) || typeof message !== "string") return readerEndedError();
  return new ComandaError(code, message, typeof hint === "string" ? { hint } : {});
}

function isCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(exitCodeOf, value);
}
