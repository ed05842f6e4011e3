/** Chooses the readings of each run, and shows which of them break the command. */
import { deviations, type Deviation, type ReadingValue } from "../../emulator/readings.js";
import { t } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";

/** One run of the command. */
export interface MatrixResult {
  /** Null for the run without a reading; `--pairs` gives two names with a plus sign between them. */
  readonly reading: string | null;
  readonly value: ReadingValue | null;
  readonly exit_code: number;
  readonly ok: boolean;
}

/** Each list has the deviations of one run: none, then one, then two. */
export function matrixRuns(pairs: boolean): readonly (readonly Deviation[])[] {
  const pairRuns = deviations.flatMap((first, index) =>
    deviations
      .slice(index + 1)
      .filter(({ reading }) => reading !== first.reading)
      .map((second) => [first, second]),
  );
  return [[], ...deviations.map((deviation) => [deviation]), ...(pairs ? pairRuns : [])];
}

export function matrixResult(run: readonly Deviation[], exitCode: number): MatrixResult {
  const [first, second] = run;
  return {
    reading: first ? run.map(({ reading }) => reading).join("+") : null,
    value: second ? run.map(({ value }) => value).join("+") : (first?.value ?? null),
    exit_code: exitCode,
    ok: exitCode === 0,
  };
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
