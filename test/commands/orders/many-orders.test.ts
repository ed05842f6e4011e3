import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { tokenFor } from "../../support/desk.js";
import { StoreDesk } from "../../support/store-desk.js";
import { parseJson, parseJsonLines } from "../../support/json.js";

let bench: StoreDesk;
beforeAll(async () => {
  bench = await StoreDesk.open();
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.emulator.service.limiter.switch(true);
  bench.forgetRequests();
});

const orders = (count: number) => bench.orders(count);
const statuses = (ids: readonly string[]) => bench.statuses(ids);

describe("many orders", () => {
  test("are listed in a table and counted by outcome", async () => {
    const done = await orders(3);
    const { code, stdout, stderr } = await bench.comanda(["orders", "dispatch", ...done]);
    expect(code).toBe(0);
    expect(stderr).toBe("3 done\n");
    const [heading = "", ...rows] = stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^ORDER +OUTCOME$/);
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual(done.map((id) => [id, "done"]));
    expect(statuses(done)).toEqual(["released", "released", "released"]);
  });

  test("end with 10 where some did not succeed, each one's outcome in the output", async () => {
    const [open = ""] = await orders(1);
    const closed = await bench.order({ status: "closed" });
    const { code, stdout, stderr } = await bench.comanda(`orders finalize ${closed} ${open} 99999999`);
    expect(code).toBe(10);
    expect(stdout).toMatch(new RegExp(`^${open} +done *$`, "m"));
    expect(stdout).toMatch(new RegExp(`^${closed} +refused +The order's status can't be changed`, "m"));
    expect(stdout).toMatch(/^99999999 +refused +The service knows no such order\./m);
    expect(stderr).toMatch(/^1 done, 2 refused\nerror: 2 of 3 orders were not done\.\n$/);
  });

  test("come as one JSON object a line", async () => {
    const [open = ""] = await orders(1);
    const { code, stdout, stderr } = await bench.comanda(`orders finalize ${open} 99999999 --json --quiet`);
    expect(code).toBe(10);
    expect(parseJsonLines(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ order_id: open, outcome: "done", code: null, service_code: null }),
        expect.objectContaining({ order_id: "99999999", code: "not_found", service_code: 4041 }),
      ]),
    );
    expect(parseJson(stderr)).toEqual({
      error: {
        exit_code: 10,
        code: "some_failed",
        http_status: null,
        details: null,
        message: "1 of 2 orders were not done.",
        hint: null,
        evidence: null,
        service_code: null,
      },
    });
  });

  test.each([
    [
      "csv",
      /^order_id,action,outcome,http_status,code,service_code,message,details\r\n\d+,dispatch,done,204,,,,\r\n/,
    ],
    ["markdown", /^\| Order .*\|\n\| :?-+/],
  ])("print as %s", async (format, shape) => {
    const ids = await orders(2);
    const { code, stdout } = await bench.comanda(`orders dispatch ${ids.join(" ")} --format ${format}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(shape);
  });

  test("are canceled without a terminal only with --yes", async () => {
    const ids = await orders(2);
    const refused = await bench.comanda(`orders cancel ${ids.join(" ")}`);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--yes");
    expect(statuses(ids)).toEqual(["confirmed", "confirmed"]);
    expect(bench.requests()).toEqual([]);
    const args = ["orders", "cancel", ...ids, "--yes", "--reason", "fim"];
    expect((await bench.comanda(args)).code).toBe(0);
    expect(ids.map((id) => bench.stored(id))).toMatchObject([
      { status: "canceled", cancellationReason: "fim" },
      { status: "canceled", cancellationReason: "fim" },
    ]);
  });
});

test("with several stores known every write says at which it was", async () => {
  const desk = await StoreDesk.open();
  await desk.desk.signIn("norte", desk.emulator.baseUrl, tokenFor(desk.emulator, 501), (session) => ({
    ...session,
    api_key: desk.keyOf(501),
  }));
  const [one = "", ...two] = await desk.orders(3);
  const said = async (line: string) => {
    const { stdout, stderr } = await desk.comanda(`${line} --store norte`);
    return `${stdout.split("\n")[0] ?? ""}${stderr}`;
  };
  expect(await said(`orders dispatch ${one}`)).toContain(`Order ${one} dispatched at norte.`);
  expect(await said(`orders dispatch ${two.join(" ")}`)).toContain("At norte: 2 done\n");
  expect(await said(`driver assign ${one} 11`)).toBe("At norte:");
  const order = "--order-type takeout --customer-name Ana --customer-phone 11987654321 --item 3002x2";
  expect(await said(`prefill ${order}`)).toMatch(/^Pre-filled order \S+ is made at norte\.$/);
  await desk.close();
});
