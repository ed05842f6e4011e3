/** Labels that a service shouldn't send, with control characters, formulas or HTML, in every output. */
import { describe, expect, test } from "vitest";

import { startStub } from "../../support/stub-service.js";
import { Desk, parseCsv } from "../../support/desk.js";

/** Labels that a terminal, a spreadsheet or a browser would interpret. */
const hostileLabels = [
  "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
  "\u202egnp.exe\u2066",
  "=cmd()|'/C calc'!A0",
  "+1 @x\n-2\r\n=3",
  "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
  "`code` | pipe [link](javascript:alert(1)) *x* _y_",
  "x".repeat(255),
  "Bia 🛵👩‍👩‍👧‍👦 ياسمين 東京",
  "",
  "\u0080\u009b31m\u2028\ufeff",
] as const;

const figures = { total_order_count: 1, total_revenue: 10, average_order_value: 10 };

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
const stub = await startStub();
await desk.signIn("centro", stub.url, "token");

const groups = hostileLabels.map((label) => ({ key: label, label, ...figures }));
// Every summary has one order, and every grouped summary these groups.
stub.behave((response) => {
  const by = /group_by=(\w+)/.exec(stub.requests.at(-1)?.target ?? "")?.[1];
  const body = by === undefined ? figures : { group_by: by, groups };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
});

const controls = /[^\P{Cc}\n\r]|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Returns the output of a command for the hostile groups, which never contains control characters. */
async function outputOf(line: string, columns?: number): Promise<string> {
  const { code, stdout } = await desk.run(`${line} --period 2026-10 --tz UTC`, columns ? { columns } : {});
  expect(code).toBe(0);
  expect(stdout).not.toMatch(controls);
  return stdout;
}
const grouped = "grouped --by customer_origin";

describe("hostile labels", () => {
  test("each take one line of a table and of a chart that is as wide as the terminal", async () => {
    const [table = "", chart = ""] = (await outputOf(`${grouped} --chart`, 1_000)).trimEnd().split("\n\n");
    // The table also has a header line, headings and the total.
    expect(table.split("\n")).toHaveLength(hostileLabels.length + 3);
    const bars = chart.split("\n");
    expect(bars).toHaveLength(hostileLabels.length);
    for (const bar of bars) expect(bar).toMatch(/█ +\d+\.00$|█.* \d+\.00$/);
  });

  test("are one CSV cell each, which a spreadsheet doesn't read as a formula", async () => {
    const [header = [], ...records] = parseCsv(await outputOf(`${grouped} --format csv`));
    expect(records).toHaveLength(hostileLabels.length);
    const key = header.indexOf("key");
    for (const record of records) {
      expect(record).toHaveLength(header.length);
      expect(record[header.indexOf("total_revenue")]).toBe("10.00");
      for (const cell of [record[key], record[key + 1]]) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }
    expect(records.map((record) => record[key])).toContain("'=cmd()|'/C calc'!A0");
  });

  test("are one cell each of a Markdown table", async () => {
    const stdout = await outputOf(`${grouped} --format markdown`);
    const [, ...lines] = stdout.split("\n").filter((line) => line !== "");
    expect(lines).toHaveLength(hostileLabels.length + 3);
    for (const line of lines)
      expect(line.match(/(?<!\\)\|/g)).toHaveLength(lines[0]?.match(/\|/g)?.length ?? 0);
    expect(stdout).not.toMatch(/(?<!\\)</);
  });

  test("are only text on the report's page", async () => {
    const stdout = await outputOf("report --out -");
    expect(stdout).toMatch(/^<!doctype html><html lang="en">/);
    expect(stdout).not.toMatch(/<script|<img|<a /i);
    expect(stdout).toContain("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });
});
