/** Services that count otherwise than most: half a year as 180 days, days in another zone than was asked for. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { startStub, type StubService } from "../../support/stub-service.js";
import { Desk } from "../../support/desk.js";
import { metrics } from "./hostile-service.js";

let desk: Desk;
let stub: StubService;
beforeEach(async () => {
  desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  stub = await startStub();
  await desk.signIn("centro", stub.url, "token");
  await desk.signIn("norte", stub.url, "token");
});
afterEach(async () => {
  await stub.close();
  desk.remove();
});

const parameter = (name: string) =>
  new URL(stub.requests.at(-1)?.target ?? "", stub.url).searchParams.get(name) ?? "";

test("That an environment refuses half a year is remembered for its stores, for 90 days", async () => {
  const refused: string[] = [];
  stub.behave((response) => {
    const [from, to] = [parameter("start_date"), parameter("end_date")];
    const tooLong = Date.parse(to) - Date.parse(from) > 180 * 86_400_000;
    if (tooLong) refused.push(from);
    const body = tooLong ? { code: 4000, message: "Invalid parameters" } : metrics(1, 10, 10);
    response.writeHead(tooLong ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  for (const store of ["centro", "norte"]) await desk.run(`stores set ${store} --tz UTC`);
  const ask = async (store: string) => {
    const half = "summary --from 2025-07-01 --to 2025-12-31";
    const { code, stderr } = await desk.run(`${half} --store ${store} --fresh --json`);
    expect(code, stderr).toBe(0);
    return refused.length;
  };
  expect(await ask("centro")).toBe(1);
  expect(await ask("centro")).toBe(1);
  expect(await ask("norte")).toBe(1);
  desk.pass(91 * 86_400_000);
  await desk.signIn("norte", stub.url, "token");
  expect(await ask("norte")).toBe(2);
});

test("A day outside of the window proves another zone, which is said once; the days of its own zone are not doubted", async () => {
  stub.behave((response) => {
    const groups = ["2026-09-30", "2026-10-02"].map((key) => ({ key, label: key, ...metrics(1, 10, 10) }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ group_by: "day", groups }));
  });
  const ask = (period: string) => desk.run(`grouped --by day ${period} --tz Asia/Tokyo --store centro`);
  const { stderr } = await ask("--period 2026-10 --compare previous");
  expect(stderr.match(/another time zone than Asia\/Tokyo/g)).toHaveLength(1);
  expect(stderr).toContain("figures of 2026-09-30 for 2026-10-01 to 2026-10-31");
  expect((await ask("--from 2026-09-30 --to 2026-10-02")).stderr).not.toContain("another time zone");
});
