/** One line of the result: what was measured, and what it should be. */
export interface Figure {
  readonly what: string;
  readonly unit: "x" | "MiB" | "ms" | "%" | "/s";
  readonly measured: number;
  /** Absent where the value is only for comparison. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  /** Beside the figure: the absolute values that it comes from. */
  readonly note?: string;
}

/** A part of the benchmarks. It gives figures as it goes, and says with `skip` what could not be measured and why. */
export interface Part {
  readonly name: string;
  run(report: Report): Promise<void>;
}

export interface Report {
  figure(figure: Figure): void;
  skip(what: string, why: string): void;
}

export function met({ measured, goal }: Figure): boolean | undefined {
  if (goal === undefined) return undefined;
  return "atMost" in goal ? measured <= goal.atMost : measured >= goal.atLeast;
}

export function figureLine(figure: Figure): string {
  const { what, unit, goal, note = "" } = figure;
  const reached = met(figure);
  const verdict = reached === undefined ? "" : reached ? "pass" : "MISS";
  const wanted = goal === undefined ? "" : "atMost" in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  return [
    what.padEnd(58),
    number(figure.measured).padStart(9),
    unit.padEnd(4),
    wanted.padEnd(8),
    verdict.padEnd(5),
    note,
  ]
    .join(" ")
    .trimEnd();
}

function number(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
