/** `comanda orders`: which ids are sent, and the output for one order and for many. */
import { beforeEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { containing, errorOf, matching, parseJson, parseJsonLines, StoreDesk } from "../support/desk.js";
const bench = await StoreDesk.open();
beforeEach(() => bench.forgetRequests());

const nothingSent = "Nothing was sent (--dry-run).\n";

/** Returns the ids that would be sent. */
const idsOf = async (line: string, input?: string | Buffer) => {
  const ran = await bench.comanda(`${line} --dry-run`, input === undefined ? {} : { input });
  return { ...ran, ids: [...ran.stdout.matchAll(/orders\/(\d+)\/dispatch$/gm)].map(([, id]) => id) };
};

describe("a list on stdin", () => {
  test.each([
    ["4711\r\n4712\r\n", ["4711", "4712"]],
    ["\u{feff}4711\n", ["4711"]],
    ["# today\n\n  4711  \n\t\n# x4712\n", ["4711"]],
    ["4711\n4712\n4711\n", ["4711", "4712"]],
    // A single id often has no line break.
    ["901", ["901"]],
    ["05\n5\n000\n0\n", ["5", "0"]],
  ])("%j contains the ids %j", async (text, ids) => {
    expect(await idsOf("orders dispatch -", text)).toMatchObject({ code: 0, ids, stderr: nothingSent });
  });

  test.each([
    [
      "1\n2,3\n",
      "line 2). Nothing was sent.\n  Separate order ids with spaces. To read them from stdin, one",
    ],
    ["# ids\n1\n..\n", "line 3"],
    ["4.711\n", "line 1"],
    ["4711.0\n", "line 1"],
    ['"4711"\n', "line 1"],
    ["a/../b\n", "line 1"],
    ["٤٧١١\n", "line 1"],
    ["1\u202e2\u001b[2J\n", "line 1"],
    ["", "stdin is empty.\n  Check the command or file that supplies the ids."],
  ])("%j is rejected, naming the line", async (text, where) => {
    const ran = await idsOf("orders dispatch -", text);
    expect(ran).toMatchObject({ code: 2, ids: [], stderr: containing(where) });
    for (const control of ["\u001b", "\u202e"]) expect(ran.stderr).not.toContain(control);
  });
});

test.each(["csv", "markdown"])("a dry run, which has no rows, rejects --format %s", async (format) => {
  const ran = await bench.comanda(`orders dispatch 1 --dry-run --format ${format}`);
  const stderr = containing(`error: --dry-run can't be used with --format ${format}.\n`);
  expect(ran).toEqual({ code: 2, stdout: "", stderr });
});

test("ignored lines on stdin that look like order ids are counted", async () => {
  const { stderr } = await idsOf("orders dispatch -", "#62357311\n# 4712\n# note 5\n4711\n");
  expect(stderr).toContain("Ignored 2 lines that look like order ids, because they begin with #.\n");
});

test("stdin with only comments leaves nothing to do", async () => {
  const ran = await bench.comanda("orders dispatch -", { input: "# none today\n\n" });
  expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "Nothing to do: stdin contains no order ids.\n" });
});

test("ids are accepted in UTF-16 with a byte order mark, in either byte order", async () => {
  const little = Buffer.from("\ufeff4711\r\n4712\r\n", "utf16le");
  for (const input of [little, Buffer.from(little).swap16()])
    expect(await idsOf("orders dispatch -", input)).toMatchObject({ code: 0, ids: ["4711", "4712"] });
});

test.each([
  ["of two lines", "1\nx\n2\n4.7\n", 'Invalid order ids: "x" (line 2), "4.7" (line 4). Nothing was sent.'],
  [
    "of 13 lines, of which ten are named",
    "x\n".repeat(13),
    `Invalid order ids: ${Array.from({ length: 10 }, (_, index) => `"x" (line ${index + 1})`).join(", ")}, … and 3 more. Nothing was sent.`,
  ],
])("an error names the ids that aren't valid %s", async (_, input, message) => {
  const { code, stderr } = await bench.comanda("orders dispatch - --json", { input });
  expect({ code, error: parseJson(stderr) }).toMatchObject({ code: 2, error: { error: { message } } });
  expect(bench.requests()).toEqual([]);
});

test("one order by two spellings of its id is one order to every command that names it", async () => {
  const order = await bench.order();
  for (const line of [`driver assign 0${order} 11`, `orders dispatch 00${order}`])
    expect(await bench.comanda(line), line).toMatchObject({ code: 0 });
  const { stdout } = await bench.comanda(`history --order #0${order} --json`);
  expect(parseJsonLines(stdout)).toMatchObject([{ order_id: order }, { order_id: order }]);
  const resumed = await bench.comanda(`orders dispatch 0${order} --resume --json`);
  expect(resumed.code).toBe(0);
  expect(parseJson(resumed.stdout)).toMatchObject({ order_id: order, outcome: "skipped" });
});

describe("the command line of a change", () => {
  test("accepts ids with a leading #, each once", async () => {
    expect((await idsOf("orders dispatch #4711 4712 4711")).ids).toEqual(["4711", "4712"]);
  });

  test.each([
    ["orders cancel 7 --reason fechado", "POST", "cancel", '{"cancellation_reason":"fechado"}'],
    ["driver assign 7 11", "PUT", "driver", '{"driver_id":11}'],
  ])("%s --dry-run shows the request, masked, and sends nothing", async (line, method, path, body) => {
    const { code, stdout, stderr } = await bench.comanda(`${line} --dry-run --json`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: nothingSent });
    const url = `${bench.emulator.baseUrl}/api/partner/v1/orders/7/${path}`;
    expect(parseJson(stdout)).toMatchObject({ method, body, url, headers: { authorization: "Bearer ****" } });
    expect(bench.requests()).toEqual([]);
  });
});

describe("one order", () => {
  test.each([
    ["dispatch", "dispatch", "Order # dispatched", "confirmed", "released"],
    ["deliver", "delivered", "Order # delivered", "released", "delivered"],
    ["finalize", "finalize", "Order # finalized", "delivered", "closed"],
    ["cancel", "cancel", "Cancellation of order # accepted", "confirmed", "canceled"],
  ])("%s posts to /%s: %s, from %s to %s", async (verb, path, done, from, to) => {
    const order = await bench.order({ order_type: "delivery", status: from });
    const stdout = `${done.replace("#", order)} at centro.\n`;
    expect(await bench.comanda(`orders ${verb} ${order}`)).toEqual({ code: 0, stderr: "", stdout });
    expect(bench.stored(order).status).toBe(to);
    expect(bench.requests()).toEqual([`POST /api/partner/v1/orders/${order}/${path}`]);
  });

  test("isn't changed if its status doesn't allow that: exit code 6", async () => {
    const order = await bench.order({ status: "released" });
    const ran = await bench.comanda(`orders dispatch ${order}`);
    const error =
      /^error: Order \d+ at centro: the order's status doesn't allow this change.*\n(?: {2}.+\n)+$/;
    expect(ran).toEqual({ code: 6, stdout: "", stderr: matching(error) });
    // The service's message appears once, not in each line.
    expect(ran.stderr.match(/orders that are \S+ can't be/g)).toHaveLength(1);
    expect(ran.stderr).toContain("HTTP 409, code 4002");
    expect(bench.stored(order).status).toBe("released");
    expect(bench.requests()).toHaveLength(1);
  });

  test.each(["orders dispatch 99999999", "driver assign 99999999 11"])(
    "that doesn't exist causes an error with its store and the number to type: %s",
    async (line) => {
      const error = "error: Order 99999999 at centro: order not found.\n";
      const ran = await bench.comanda(line);
      expect(ran).toMatchObject({ code: 5, stderr: containing(error) });
      expect(ran.stderr).toContain("(display_id) isn't the order id");
      expect(ran.stderr).not.toContain("another store");
    },
  );
});

describe("many orders", () => {
  test("end with the totals, and a line for each order that was not changed", async () => {
    const done = await bench.orders(2);
    const all = await bench.comanda(["orders", "finalize", ...done]);
    expect(all).toEqual({ code: 0, stdout: "", stderr: "2 done\n" });
    expect(bench.statuses(done)).toEqual(["closed", "closed"]);

    const [open = ""] = await bench.orders(1);
    const some = await bench.comanda(`orders finalize ${done[0] ?? ""} ${open} 99999999`);
    const stderr = "1 done, 2 refused\nerror: 2 of 3 orders were not changed.\n";
    expect(some).toMatchObject({ code: 10, stderr });
    expect(some.stdout).toMatch(
      /^ORDER +OUTCOME +REASON\n\d+ +refused +The order's status doesn't allow this change\. .*can't be finalized\n99999999 +refused +Order not found\.\n$/,
    );
  });

  test("list 20 of 21 orders that were not changed, and how many more", async () => {
    const ids = Array.from({ length: 21 }, (_, index) => String(99_999_900 + index));
    const { stdout, stderr } = await bench.comanda(["orders", "finalize", ...ids]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1 + 20);
    expect(stderr).toBe("21 refused\n… and 1 more.\nerror: 21 of 21 orders were not changed.\n");
  });

  test("end with the commands that record the first unknown outcome", async () => {
    const [first = "", second = "", third = ""] = await bench.orders(3);
    const faults = [second, third].map((order) => ({ status: 503, path: `/${order}/finalize`, times: 1 }));
    bench.emulator.service.faults.set(faults);
    const ran = await bench.comanda(`orders finalize ${first} ${second} ${third}`);
    const rows = matching(`\n${second} +unknown +HTTP 503\n${third} +unknown +HTTP 503\n$`);
    expect(ran).toMatchObject({ code: 10, stdout: rows });
    const { stderr } = ran;
    expect(stderr).toContain(`: comanda history settle ${second} done\n`);
    expect(stderr).toContain(`: comanda history settle ${second} not-done\n`);
    await bench.comanda(`history settle ${second} not-done`);
    await bench.comanda(`history settle ${third} not-done`);
  });

  test.each([
    ["unknown", "is unknown", [{ status: 503, times: 1 }], matching(/ not-done$/)],
    ["failed", "was certainly not processed", [{ status: 421, times: 1 }], containing("--resume")],
    ["refused", "is done", [], null],
  ] as const)("end with the outcome %s if one %s and two are refused", async (outcome, _, faults, hint) => {
    bench.emulator.service.faults.set(faults);
    const line = `orders finalize ${await bench.order()} 99999998 99999999 --json`;
    const { code, stderr } = await bench.comanda(line);
    bench.emulator.service.faults.set([]);
    const error = { error: { code: "some_failed", outcome, hint } };
    expect({ code, error: errorOf(stderr) }).toMatchObject({ code: 10, error });
  });

  test("print as CSV and Markdown", async () => {
    const ids = await bench.orders(2);
    const { stdout } = await bench.comanda(["orders", "dispatch", ...ids, "--format=csv"]);
    expect(stdout).toMatch(
      /^order_id,action,outcome,http_status,code,service_code,message,details,at,store,attempts,evidence,resumed\r\n\d+,dispatch,done,204,,,,,[^,]+,centro,1,api,\r\n/,
    );
    const markdown = await bench.comanda(["orders", "deliver", ...ids, "--format=markdown"]);
    expect(markdown.stdout).toMatch(/\| \d+ +\| deliver +\| done +\|/);
  });

  test("are canceled without a terminal only with --yes", async () => {
    const ids = await bench.orders(2);
    const refused = await bench.comanda(`orders cancel ${ids.join(" ")}`);
    const stderr = containing("requires --yes. Nothing was sent.\n");
    expect(refused).toEqual({ code: 2, stdout: "", stderr });
    expect(bench.requests()).toEqual([]);
    expect((await bench.comanda(["orders", "cancel", ...ids, "--yes", "--reason", "fim"])).code).toBe(0);
    const canceled = { status: "canceled", cancellationReason: "fim" };
    expect(ids.map((id) => bench.stored(id))).toMatchObject([canceled, canceled]);
  });
});

describe("a cancellation that the service undoes after accepting it", async () => {
  const undoing = await StoreDesk.open({ readings: { card_cancellation: "fails" } });
  const online = async () => undoing.order({ payment_method_ids: [3] });

  test("is reported as accepted by a command, a list, --resume, counter and history", async () => {
    const [one, two, three, four] = await Promise.all([online(), online(), online(), online()]);
    const stdout = `Cancellation of order ${one} accepted at centro.\n`;
    expect(await undoing.comanda(`orders cancel ${one}`)).toEqual({ code: 0, stderr: "", stdout });
    const list = `orders cancel ${two} ${three} --yes`;
    expect(await undoing.comanda(list)).toEqual({ code: 0, stdout: "", stderr: "2 accepted\n" });
    const resumed = await undoing.comanda(`${list} --resume --json`);
    expect(parseJsonLines(resumed.stdout)).toMatchObject([
      { outcome: "skipped", resumed: true, message: "Sent earlier, and done. Not sent again." },
      { outcome: "skipped", resumed: true },
    ]);
    const again = await undoing.comanda(`${list} --resume --format markdown`);
    expect(again.stdout).toContain("Cancellation accepted earlier, at ");
    expect(again.stdout).toMatch(/ Attempts \| Evidence \| Resumed \|\n.*\n.*\| +1 \| api +\| yes +\|\n/);
    const counter = await undoing.comanda("counter", { answers: [`c ${four}`, "y", "q"] });
    expect(counter.stdout).toContain(`Cancellation of order ${four} accepted at centro.\n`);
    for (const line of ["history", "history --format markdown"]) {
      const { stdout } = await undoing.comanda(line);
      expect(stdout.match(/ cancel .*? accepted /g), line).toHaveLength(4);
      expect(stdout).not.toContain("done");
    }
    expect(undoing.statuses([one, two, three, four])).toEqual(Array(4).fill("confirmed"));
  });

  test("has the outcome done in JSON, and a reason that says so in Markdown", async () => {
    const shown = async (format: string) =>
      (await undoing.comanda(`orders cancel ${await online()} --format ${format}`)).stdout;
    expect(parseJson(await shown("json"))).toMatchObject({ outcome: "done", http_status: 204, code: null });
    expect(await shown("markdown")).toContain(
      "| Cancellation accepted. After an online card payment, the service can still undo it. |",
    );
  });
});

test("a list that two interrupts end prints the next step for its unknown outcomes", async () => {
  const ids = await bench.orders(2);
  const { faults } = bench.emulator.service;
  faults.set([{ hang: true, path: "/finalize" }]);
  const interruption = new AbortController();
  const ended = bench.comanda(`orders finalize ${ids.join(" ")}`, { signal: interruption.signal });
  await expect.poll(() => bench.requests().filter((each) => each.endsWith("/finalize"))).toHaveLength(2);
  interruption.abort(new ComandaError("interrupted", "Interrupted."));
  const { code, stderr } = await ended;
  faults.set([]);
  expect(code).toBe(130);
  expect(stderr.split(`If the order was changed: comanda history settle ${ids[0]} done`)).toHaveLength(2);
});

test("every write names its store if this machine has several", async () => {
  await bench.signIn("norte", 501, (session) => ({ ...session, api_key: bench.keyOf() }));
  const [one = "", ...two] = await bench.orders(3);
  const said = async (line: string) => {
    const { stdout, stderr } = await bench.comanda(`${line} --store norte`);
    return `${stdout.split("\n")[0] ?? ""}${stderr}`;
  };
  expect(await said(`orders dispatch ${one}`)).toContain(`Order ${one} dispatched at norte.`);
  expect(await said(`orders dispatch ${two.join(" ")}`)).toContain("At norte: 2 done\n");
  expect(await said(`driver assign ${one} 11`)).toBe("At norte:");
  const list = "orders dispatch 99999998 99999999";
  for (const line of ["orders dispatch 99999999", list, "driver assign 99999999 11"])
    expect(await said(line), line).toMatch(
      /\S\n {2}An order that wasn't found may belong to another store on this machine: centro\.\n/,
    );
  // Another store can't help with these.
  expect(await said(`orders dispatch ${one} ${two.join(" ")}`)).not.toContain("another store");
  bench.emulator.service.faults.set([{ status: 503, path: `/${one}/deliver`, times: 1 }]);
  expect(await said(`orders deliver ${one} 99999999`)).not.toContain("another store");
  const order = "--order-type takeout --customer-name Ana --customer-phone 11987654321 --item 3002x2";
  expect(await said(`prefill ${order}`)).toBe("At norte:");
  const path = `/api/partner/v1/orders/${one}`;
  expect(await said(`api POST ${path}/finalize`)).toBe("Sent to the store norte.\n");
  bench.emulator.service.faults.set([{ status: 503, path: "/other", times: 1 }]);
  expect(await said("api POST /api/partner/v1/other")).toContain("Sent to the store norte.\n");
  expect(await said("api POST /api/partner/v1/orders/99999999/dispatch")).toContain(
    "Order 99999999 at norte: order not found.",
  );
});
