/** The rules of `--alert`, and the error that they cause. */
import { expect, test } from "vitest";

import { alertFailure, judgeAlert, parseAlert } from "../../src/sales/alert.js";
import { row } from "./sample.js";

function judged(rule: string, now: readonly [number, number], before?: readonly [number, number]) {
  return [judgeAlert(parseAlert(rule), "centro", row(null, ...now), before && row(null, ...before))];
}

test.each([
  ["orders<50", [49, 100], undefined, true],
  ["orders<50", [50, 100], undefined, false],
  ["revenue<1500", [3, 149_999], undefined, true],
  ["revenue < 1500,00", [3, 150_000], undefined, false],
  ["average>=12.34", [2, 2_467], undefined, true],
  // Alerts must detect a store without orders.
  ["orders<-95%", [0, 0], [20, 90_000], true],
  ["revenue<1500", [0, 0], undefined, true],
  ["revenue<-30%", [7, 70_000], [10, 100_000], false],
  ["revenue<=-30%", [7, 70_000], [10, 100_000], true],
  ["revenue<-30%", [7, 69_999], [10, 100_000], true],
  ["orders>+10%", [12, 1], [10, 1], true],
  ["average>=0", [0, 0], undefined, true],
  ["average<-30%", [0, 0], [2, 3_000], true],
  ["orders<-30%", [0, 0], [0, 0], null],
  ["orders<-30%", [5, 500], undefined, null],
  ["average<-30%", [2, 3_000], [0, 0], null],
] as const)("the rule %s for %j compared with %j is %s", (rule, now, before, holds) => {
  expect(judged(rule, now, before)).toMatchObject([{ holds, store: "centro" }]);
});

const invalid = ["", "orders", "orders<", "orders<0.5", "turnover<5", "revenue<1.234,00", "orders<5%%"];
test.each(invalid)("parseAlert rejects %j", (text) => {
  expect(() => parseAlert(text)).toThrow(expect.objectContaining({ code: "invalid_input" }) as Error);
});

test("the error of a rule that holds has the exit code 11 and names another that can't be evaluated", () => {
  expect(alertFailure(judged("orders<50", [50, 10]))).toBeUndefined();
  const both = [...judged("orders<-30%", [0, 0], [0, 0]), ...judged("orders<50", [3, 10])];
  expect(alertFailure(both)).toMatchObject({ exitCode: 11, message: "Alert: orders<50." });
  expect(alertFailure(both)?.hint).toContain("can't be evaluated");
});
