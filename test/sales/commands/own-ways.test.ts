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

test("Where half a year is refused a run asks for shorter windows, and is refused once", async () => {
  let refused = 0;
  stub.behave((response) => {
    const [from, to] = [parameter("start_date"), parameter("end_date")];
    const tooLong = Date.parse(to) - Date.parse(from) > 180 * 86_400_000;
    if (tooLong) refused += 1;
    const body = tooLong ? { code: 4000, message: "Invalid parameters" } : metrics(1, 10, 10);
    response.writeHead(tooLong ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await desk.run("stores set centro --tz UTC");
  const halves = "summary --from 2025-07-01 --to 2025-12-31 --compare year --store centro --json";
  const { code, stderr, stdout } = await desk.run(halves);
  expect({ code, refused }, stderr).toEqual({ code: 0, refused: 1 });
  expect(stdout).toContain('"total_order_count":2');
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

const weekdays = ["domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"];

/** Three orders a day, one more on Fridays; weekdays are numbered by texts. */
function sellEachDay(): void {
  stub.behave((response) => {
    const [from, to, by] = [parameter("start_date"), parameter("end_date"), parameter("group_by")];
    const places = new Map<string, number>();
    for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
      const weekday = new Date(day).getUTCDay();
      const key = by === "day" ? new Date(day).toISOString().slice(0, 10) : String(weekday);
      places.set(key, (places.get(key) ?? 0) + (weekday === 5 ? 4 : 3));
    }
    const groups = [...places]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, orders]) => ({
        key,
        label: by === "day" ? null : (weekdays[Number(key)] ?? null),
        ...metrics(orders, orders, 1),
      }));
    const date = new Date(desk.clock.now()).toUTCString();
    response
      .writeHead(200, { "content-type": "application/json", date })
      .end(JSON.stringify({ group_by: by, groups }));
  });
}

test("A weekday has one key and one label, whatever was asked before", async () => {
  sellEachDay();
  await desk.run("stores set centro --tz UTC");
  const run = (line: string) => desk.run(`${line} --store centro`);
  const line = "grouped --by day_of_week --period 2026-10 --compare previous";
  const direct = (await run(`${line} --json --fresh`)).stdout;
  desk.forgetFigures();
  await run("grouped --by day --period 2026-09");
  const { stdout } = await run(`${line} --json`);
  const groupsOf = (text: string) => {
    const { current, previous, change } = JSON.parse(text) as Record<string, { groups: { key: unknown }[] }>;
    return [current, previous, change].map((side) => side?.groups);
  };
  expect(groupsOf(stdout)).toEqual(groupsOf(direct));
  expect(groupsOf(stdout).map((groups) => groups?.map(({ key }) => key))).toEqual(
    Array.from({ length: 3 }, () => ["0", "1", "2", "3", "4", "5", "6"]),
  );
  const table = (await run(line)).stdout;
  expect(table.match(/^\w+day /gm)).toHaveLength(7);
  // Each day sold what it sold before, and the total of a usual week is the same.
  expect(table).toMatch(/^DAY OF WEEK +DAYS +ORDERS +PER DAY +REVENUE +PER DAY +AVERAGE +CHANGE +SHARE$/m);
  expect(table).toMatch(/^Thursday +5 \(4\) +15 +0% +15\.00 +0% /m);
  expect(table).toMatch(/^Total +\d+ +0% +[\d.]+ +0% /m);
  const alerted = await run(`${line} --alert orders<-10% --alert orders>=0%`);
  expect(alerted).toMatchObject({ code: 11, stderr: expect.not.stringContaining("closed") as string });
  expect(alerted.stdout).toContain("Friday: orders is 4 a day, against 4 a day (0%): orders>=0%");
  expect(alerted.stdout).not.toContain("orders<-10%");
});

test("Of what is kept weekdays, weeks and months follow once the service has told how it writes them", async () => {
  sellEachDay();
  await desk.run("stores set centro --tz UTC");
  const asked = async (line: string) => {
    const before = stub.requests.length;
    const { code, stdout } = await desk.run(`${line} --store centro --json`);
    expect(code).toBe(0);
    return {
      calls: stub.requests.length - before,
      groups: (JSON.parse(stdout) as { groups: object[] }).groups,
    };
  };
  expect((await asked("grouped --by day --from 2026-08-01 --to 2026-10-31")).calls).toBe(1);
  expect((await asked("grouped --by day_of_week --period 2026-10")).calls).toBe(1);
  const september = await asked("grouped --by day_of_week --period 2026-09");
  expect(september.calls).toBe(0);
  const fresh = await asked("grouped --by day_of_week --period 2026-09 --fresh");
  expect(september.groups).toEqual(fresh.groups);
});
