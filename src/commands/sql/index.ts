/** `comanda sql` queries the stored sales figures in SQL. */
import path from "node:path";
import { text as textOf } from "node:stream/consumers";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";

import type { Command } from "../../toolkit/command.js";
import { variable } from "../../toolkit/context.js";
import { parseLimit } from "../../toolkit/durations.js";
import { pipedInput } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";
import type { SqlPart, SqlRow } from "./reader.js";

export interface SqlOptions {
  /** Absent for a statement on stdin. */
  readonly statement: string | undefined;
  readonly maxMs: number;
}

export type SqlResult =
  { readonly kind: "parts"; readonly parts: AsyncIterable<SqlPart> } | { readonly kind: "read" };

/** A table or a JSON array is written when its last row is known, so its rows are held in memory. */
const mostRowsAtOnce = 100_000;

export const sql: Command<SqlOptions, SqlResult> = {
  description: {
    usage: "sql <statement>",
    summary: "ask the sales figures that are kept here, in SQL",
    description:
      "Give one statement that reads, or - for one on stdin; nothing is asked of the service. comanda help sales-db has the " +
      "tables and their columns. CSV and ndjson are written as the rows come, however many.",
    options: [
      { flags: "--max-time <duration>", description: "the longest that it may take", default: "30s" },
    ],
    takes: ["format"],
    examples: [
      "sql 'select date, orders, revenue from sales_by_day order by date'",
      "sql --format csv 'select * from restatements'",
    ],
  },
  parse: (line) => {
    const [statement] = line.words;
    return {
      statement: statement === "-" ? undefined : statement,
      maxMs: parseLimit("--max-time", line.text("--max-time") ?? "30s"),
    };
  },
  async run(machine, { statement: argument, maxMs }) {
    const { context, output } = machine;
    const statement = argument ?? (await readStatement(machine));
    const { readLines, readParts, readerVariable } = await import("./reader.js");
    const readerFile = variable(context, readerVariable);
    if (readerFile !== undefined) {
      for (const line of readLines(readerFile, statement)) {
        context.signal.throwIfAborted();
        output.text(`${line}\n`);
      }
      return { kind: "read" };
    }
    const state = await machine.state();
    // Reading the settings finishes a rename of a store that was cut off, and its figures follow.
    await state.settings.read();
    const database = await state.existingDatabase("sales");
    if (!database) {
      throw new ComandaError("not_found", t`No sales figures are kept on this machine.`, {
        hint: t`Ask for some: comanda sync`,
      });
    }
    const file = path.join(state.data.path, "sales.db");
    if (database.place !== file) {
      throw new ComandaError(
        "usage",
        t`The figures lie in ${database.place}, where comanda sql can't read them.`,
        {
          hint: t`The role comanda_read sees the same views there, in the schema comanda_sales, and no sign-in: psql ${readerAddress(database.place)}`,
        },
      );
    }
    return { kind: "parts", parts: readParts(context, { file, statement, maxMs }) };
  },
  async present(result, output) {
    if (result.kind === "parts") await present(result.parts, output);
  },
};

function readerAddress(place: string): string {
  return place.replace(/^postgres:\/\/(?:[^@/]*@)?/, "postgres://comanda_read@");
}

async function readStatement({ context }: Machine): Promise<string> {
  return textOf(pipedInput(context, t`Write it behind the command, in quotes.`).stream);
}

async function present(parts: AsyncIterable<SqlPart>, output: Output): Promise<void> {
  const isStreamed = output.format === "csv" || output.jsonLines;
  let names: readonly string[] = [];
  let heldRows: SqlRow[] = [];
  let header = true;
  const write = async () => {
    if (output.json) {
      const objects = heldRows.map((row) =>
        Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
      );
      output.value(objects);
    } else await output.records(columnsOf(names), heldRows, { header });
    [heldRows, header] = [[], false];
  };
  for await (const part of parts) {
    if ("columns" in part) {
      names = part.columns;
      continue;
    }
    heldRows.push(...part.rows);
    if (isStreamed) await write();
    else if (heldRows.length > mostRowsAtOnce) throw tooMany();
  }
  if (!isStreamed) await write();
}

function tooMany(): ComandaError {
  return new ComandaError("usage", t`There are more than ${mostRowsAtOnce} rows.`, {
    hint: t`Give --format csv or ndjson, which are written as the rows come.`,
  });
}

function columnsOf(names: readonly string[]): readonly Column<SqlRow>[] {
  return names.map((name, index) => ({
    heading: name,
    name,
    cell: (row) => row[index] ?? null,
  }));
}
