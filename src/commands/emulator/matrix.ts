/** Shows which readings break a command. */
import type { ReadingValue } from "../../emulator/readings.js";
import { t } from "../../languages/language.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/column.js";

/** One run of the command. */
export interface MatrixResult {
  /** Null for the run without a reading. */
  readonly reading: string | null;
  readonly value: ReadingValue | null;
  readonly exit_code: number;
  readonly ok: boolean;
}

/** Programs get all results, people those that break the command. */
export async function presentMatrix(results: readonly MatrixResult[], output: Output): Promise<void> {
  if (output.json) {
    output.value(results);
    return;
  }
  const failures = results.filter(({ ok }) => !ok);
  if (failures.length > 0) await output.records(columns, failures);
  output.sentence(t`Runs: ${results.length}, failed: ${failures.length}.`);
  if (results[0]?.ok === false) output.warn(t`the command fails without a reading already: mend that first`);
  else if (failures.length > 0)
    output.notice(t`To see one fail, give --reading with its name=value in the place of --matrix.`);
}

const columns: readonly Column<MatrixResult>[] = [
  { heading: "Reading", cell: ({ reading }) => reading ?? "default", isWord: true },
  { heading: "Value", cell: ({ value }) => value },
  { heading: "Exit code", align: "right", cell: ({ exit_code: code }) => code },
];
