/** A service of a test's own that knows the two summary endpoints. */
import { startStub, type StubService } from "../../support/stub-service.js";

export const metrics = (total_order_count: number, total_revenue: number, average_order_value: number) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});

/** Characters and forms that a terminal, a spreadsheet or a browser would act upon. */
export const hostileLabels = [
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

export const hostileGroups = hostileLabels.map((label, index) => ({
  key: label,
  label,
  ...metrics(1, 100 - index, 100 - index),
}));

/** Every summary has one order, every grouped summary the hostile groups. */
export async function startHostileService(): Promise<StubService> {
  const stub = await startStub();
  stub.behave((response) => {
    const target = stub.requests.at(-1)?.target ?? "";
    const groupBy = /group_by=(\w+)/.exec(target)?.[1];
    const body = groupBy === undefined ? metrics(1, 10, 10) : { group_by: groupBy, groups: hostileGroups };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return stub;
}
