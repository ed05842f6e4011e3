/** An answer with many groups. The work is counted, because the time depends on the machine and on what else it does. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import * as z from "zod/mini";

import { parseJson } from "../support/output.js";
import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";

const machine = new Machine({ COMANDA_ACCESS_TOKEN: "t", COMANDA_RATE_LIMITS: "off" });
const stub = await startStub();

const many = 90_000;

const groups = Array.from({ length: many }, (_, place) => ({
  key: `origin ${place}`,
  label: null,
  ...{ total_order_count: 1, total_revenue: 0.01, average_order_value: 0.01 },
}));
stub.behave({ status: 200, body: JSON.stringify({ group_by: "customer_origin", groups }) });

/** What V8 reports with NODE_V8_COVERAGE: how often each function, branch and loop body ran. */
const range = z.object({ startOffset: z.int(), endOffset: z.int(), count: z.int() });
const script = z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(range) })) });
const coverage = z.object({ result: z.array(script) });

/** Returns the beginning of each piece of code that ran more often, with the number of runs. */
function runsAbove(limit: number, folder: string): readonly string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder)) {
    const report = coverage.parse(parseJson(readFileSync(path.join(folder, name), "utf8")));
    // Node's own modules aren't files.
    for (const { url, functions } of report.result.filter((each) => each.url.startsWith("file:")))
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
        if (count > limit) {
          const code = readFileSync(fileURLToPath(url), "utf8").slice(startOffset, endOffset);
          found.push(`${count}: ${code.slice(0, 200)}`);
        }
  }
  return found;
}

test.each([
  // A table also has a header line and the total.
  ["table", many + 4],
  ["csv", many + 2],
])(
  `${many} groups are printed as %s, and no code runs more than 200 times for each group`,
  async (format, lines) => {
    const folder = path.join(machine.folder, format);
    const env = { COMANDA_BASE_URL: stub.url, NODE_V8_COVERAGE: folder };
    const line = `grouped --by customer_origin --period last-month --compare month --tz UTC --format ${format}`;
    const { code, stdout, stderr } = await machine.run(line, { env });
    const ended = { code, stderr, lines: stdout.split("\n").length };
    expect(ended).toEqual({ code: 0, stderr: "", lines });
    // If each group were searched for among all, the search would run hundreds of times for each.
    expect(runsAbove(200 * many, folder)).toEqual([]);
  },
  300_000,
);
