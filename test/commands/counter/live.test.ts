/** `comanda live`: what it asks, shows and leaves to others. */
import { PassThrough } from "node:stream";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { live, type CounterLine } from "../../../src/commands/counter/index.js";
import { ComandaError } from "../../../src/shared/errors.js";
import type { Fault } from "../../../src/emulator/http/faults/fault.js";
import { tokenFor, type RunOptions } from "../../support/desk.js";
import { parseJson, parseJsonLines } from "../../support/json.js";
import { openMachine, run, runToFailure } from "../../support/machine.js";
import { parse } from "../../support/parse.js";
import { StoreDesk } from "../../support/store-desk.js";
import { Sink } from "../../support/context.js";
import { screenOf } from "../../support/terminal.js";

describe("parse", () => {
  test.each([
    ["", { stores: [], everyMs: 15_000, looks: undefined }],
    [
      "--every 1s --looks 3 --store centro --store praia",
      { stores: ["centro", "praia"], everyMs: 1_000, looks: 3 },
    ],
    ["--all-stores --json", { allStores: true }],
  ])("live reads %j", async (line, options) => {
    await expect(parse(live, ...line.split(" ").filter(Boolean))).resolves.toMatchObject(options);
  });

  test.each([
    "--every 999ms",
    "--every 0",
    "--every soon",
    "--looks 0",
    "--looks many",
    "--format csv",
    "--dry-run",
  ])("live refuses %s", async (line) => {
    await expect(parse(live, ...line.split(" "))).rejects.toMatchObject({ code: "usage" });
  });
});

const lineSchema = z.object({
  at: z.string(),
  stores: z.array(
    z.object({
      store: z.string(),
      asked_at: z.nullable(z.string()),
      limited: z.boolean(),
      error: z.nullable(z.looseObject({ exit_code: z.number() })),
      total_order_count: z.nullable(z.number()),
      statuses: z.array(z.looseObject({ key: z.nullable(z.string()), moved: z.nullable(z.number()) })),
      same_weekday: z.nullable(z.unknown()),
    }),
  ),
});
const linesOf = (stdout: string) => parseJsonLines(stdout).map((line) => z.parse(lineSchema, line));

describe("live", () => {
  const everyMs = 15_000;
  let store: StoreDesk;
  let between: (() => void | Promise<void>)[];
  beforeEach(async () => {
    store = await StoreDesk.open();
    between = [];
    await store.comanda("stores set centro --tz America/Sao_Paulo");
    // A lull is from one look to the next: what happens then is the test's.
    const { clock } = store.desk;
    const { sleep } = clock;
    clock.sleep = async (ms, signal) => {
      await sleep(ms, signal);
      if (ms === everyMs) await between.shift()?.();
    };
  });
  afterEach(() => store.close());

  const faults = (...all: Fault[]) => {
    store.emulator.service.faults.set(all);
  };
  const answering = (status: number): Fault => ({
    ...{ kind: "status", status, match: { path: "/summary" }, when: "before" },
  });
  const down = answering(503);
  const looks = (line: string, options?: RunOptions) => store.comanda(`live ${line}`, options);

  test("without a terminal gives a line a look: what moved, and the same weekday as summary tells it", async () => {
    const [first] = await store.orders(2);
    between = [
      async () => {
        await store.comanda(`orders dispatch ${first}`);
      },
    ];
    store.forgetRequests();
    const { code, stdout, stderr } = await looks("--looks 2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(store.requests().map((one) => one.replace(/.*\//, ""))).toEqual([
      "grouped",
      "summary",
      "dispatch",
      "grouped",
    ]);
    const [one, two] = linesOf(stdout).map(({ stores }) => stores[0]);
    const count = (of: typeof one, key: string) => of?.statuses.find((status) => status.key === key);
    expect(count(one, "confirmed")).toMatchObject({ moved: null });
    expect(count(two, "confirmed")).toMatchObject({ moved: -1 });
    expect(count(two, "released")).toMatchObject({ total_order_count: 1, moved: 1 });
    const summary = parseJson((await store.comanda("summary --period today --compare week --json")).stdout);
    const { change } = z.parse(z.looseObject({ change: z.unknown() }), summary);
    expect(one?.same_weekday).toMatchObject({ change, current: { kept: false } });
    expect(two?.same_weekday).toEqual(one?.same_weekday);
  });

  test("leaves a place free however often it looks, and says how old its figures are", async () => {
    const { code, stdout, stderr } = await looks("--looks 12 --every 2s");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const told = linesOf(stdout).map(({ at, stores: [one] }) => [at, one?.asked_at, one?.limited]);
    expect(told.slice(3, 5)).toEqual([
      ["2026-11-20T15:00:06.000Z", "2026-11-20T15:00:06.000Z", false],
      ["2026-11-20T15:00:08.000Z", "2026-11-20T15:00:06.000Z", true],
    ]);
    expect(told).toHaveLength(12);
    expect(store.answers().filter((status) => status !== 200)).toEqual([]);
    const quota = parseJson((await store.comanda("quota --json")).stdout);
    expect(quota).toContainEqual(expect.objectContaining({ bucket: "summary_grouped", left: 1 }));
  });

  test("by a wrong clock tells the age of a look by the same clock as the line around it", async () => {
    store.emulator.clock.advance(20 * 60_000);
    const { stdout, stderr } = await looks("--looks 2");
    expect(stderr).toMatch(
      /^warning: By this machine's clock it is 2026-11-20 12:00, by the service's 2026-11-20 12:20: /,
    );
    expect(stderr.match(/warning/g)).toHaveLength(1);
    for (const { at, stores } of linesOf(stdout)) expect(stores[0]?.asked_at).toBe(at);
  });

  test("asks as often as one where several look, and summary takes what they were told", async () => {
    await store.order();
    const told: unknown[] = [];
    const another = async () => {
      store.desk.pass(7_000);
      const { stdout } = await looks("--looks 1");
      told.push(...linesOf(stdout).map(({ stores: [one] }) => [one?.asked_at?.slice(17, 19), one?.limited]));
      const { stdout: json } = await store.comanda("summary --period today --json");
      told.push(
        z.parse(z.looseObject({ kept: z.boolean(), total_order_count: z.number() }), parseJson(json)).kept,
      );
    };
    between = [another, another, another];
    store.forgetRequests();
    const { stdout } = await looks("--looks 4");
    expect(linesOf(stdout).map(({ stores: [one] }) => [one?.limited, one?.asked_at?.slice(17, 19)])).toEqual(
      ["00", "22", "44", "06"].map((seconds) => [false, seconds]),
    );
    expect(told).toEqual(["22", "44", "06"].flatMap((seconds) => [[seconds, false], true]));
    expect(store.requests().filter((one) => one.endsWith("/grouped"))).toHaveLength(4);
  });

  test("at its own pace asks at every look", async () => {
    const { stdout } = await looks("--looks 9");
    expect(linesOf(stdout).map(({ stores: [one] }) => one?.limited)).toEqual(Array(9).fill(false));
  });

  test.each([
    ["the service down", () => faults(down), () => faults(), 8],
    [
      "the sign-in lost",
      () => faults(answering(401)),
      async () => {
        faults();
        await store.desk.signIn("centro", store.emulator.baseUrl, tokenFor(store.emulator, 501));
      },
      3,
    ],
  ])("keeps its figures with %s, says why, and recovers", async (_, lose, mend, exitCode) => {
    between = [lose, mend];
    const { code, stdout } = await looks("--looks 3");
    const [one, two, three] = linesOf(stdout).flatMap(({ stores }) => stores);
    expect(code).toBe(0);
    expect(two?.error?.exit_code).toBe(exitCode);
    expect({ ...two, error: null }).toEqual({ ...one, statuses: two?.statuses });
    expect([three?.error, three?.asked_at]).toEqual([null, "2026-11-20T15:00:30.000Z"]);
  });

  test("takes the service's own limit for what it is: no room until then, and no wait inside of a look", async () => {
    const limit: Fault = { kind: "rate_limit", retry_after: 20, match: { path: "/summary" }, when: "before" };
    between = [() => faults(limit), () => faults()];
    const { code, stdout } = await looks("--looks 4");
    const told = linesOf(stdout).map(({ stores: [one] }) => [one?.asked_at?.slice(17, 19), one?.limited]);
    expect(code).toBe(0);
    expect(told).toEqual([
      ["00", false],
      ["00", true],
      ["35", false],
      ["50", false],
    ]);
  });

  test("ends with 141 once nobody reads its lines", async () => {
    const closed = new AbortController();
    between = [() => closed.abort(new ComandaError("output_closed", "The reader of the output has gone."))];
    const { code, stdout } = await looks("--every 15s", { signal: closed.signal });
    expect([code, linesOf(stdout).length]).toEqual([141, 1]);
  });

  test("ends with what was wrong at the last look, and at once where it is the first", async () => {
    between = [() => faults(down)];
    expect(await looks("--looks 2")).toMatchObject({
      code: 8,
      stdout: expect.stringMatching(/^.*\n.*\n$/) as string,
    });
    expect(await looks("--looks 2")).toMatchObject({ code: 8, stdout: "" });
  });

  test("shows the stores that answer beside those that don't, and ends with 10", async () => {
    await store.desk.signIn("praia", store.emulator.baseUrl, "no such token");
    const { code, stdout } = await looks("--all-stores --looks 1");
    expect(code).toBe(10);
    expect(linesOf(stdout)[0]?.stores.map((one) => [one.store, one.error?.exit_code])).toEqual([
      ["centro", undefined],
      ["praia", 3],
    ]);
    await store.comanda("stores remove centro --yes");
    expect(await looks("--store praia --looks 1")).toMatchObject({ code: 3, stdout: "" });
  });

  test.each([
    ["--plain", {}],
    ["", { TERM: "dumb" }],
  ])("writes blocks of lines %s %j, and moves no cursor", async (flag, env) => {
    await store.order();
    const { stdout, stderr } = await looks(`--looks 2 ${flag}`.trim(), { columns: 80, looksOn: true, env });
    expect(stdout.match(/^centro .*Fri 2026-11-20$/gm)).toHaveLength(2);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("Counts, not orders: the API shows no list of orders.\n");
  });

  describe("on a screen", () => {
    class Terminal extends Sink {
      constructor(override columns: number) {
        super(columns);
      }
      readonly rows = 24;
    }
    class Keys extends PassThrough {
      readonly isTTY = true;
      readonly raw: boolean[] = [];
      setRawMode(on: boolean) {
        this.raw.push(on);
      }
    }
    const open = async () => {
      const [stdout, keys, last] = [new Terminal(80), new Keys(), new Set<() => void>()];
      const atExit = (work: () => void) => (last.add(work), () => void last.delete(work));
      const { clock, folder } = store.desk;
      const machine = await openMachine({ folder, context: { stdout, stdin: keys, clock, atExit } });
      return { machine, keys, last, terminal: stdout };
    };
    const options: CounterLine = {
      ...{ stores: [], allStores: false, watchOnly: true, undoMs: 3_000, confirm: undefined },
      ...{ everyMs, looks: undefined, maxWaitMs: 0 },
    };
    const given = async () => new Promise((resolve) => setImmediate(resolve));

    test("shows counts, follows the terminal's size, and gives the terminal back at q", async () => {
      await store.order();
      const { machine, keys, last, terminal } = await open();
      const screens: (readonly string[])[] = [];
      between = [
        async () => {
          screens.push(screenOf(terminal.text));
          machine.machine.output.warn("said meanwhile");
          terminal.columns = 40;
          terminal.emit("resize");
          screens.push(screenOf(terminal.text));
          keys.write("x");
          await given();
          expect(last.size).toBe(1);
        },
        async () => {
          expect(machine.stderr.text).toBe("");
          keys.write("q");
          await given();
        },
      ];
      const { result } = await run(live, { ...machine, stdout: terminal }, options);
      expect(result).toMatchObject({ kind: "watched", hasLeft: true });
      expect(screens.map((lines) => lines.slice(-3))).toEqual([
        ["", "Next look in 15 s. q ends.", "Counts, not orders: the API shows no list of orders."],
        ["Looking … q ends.", "Counts, not orders: the API shows no", "list of orders."],
      ]);
      expect(screens[0]?.join("\n")).toMatch(/^centro +Fri 2026-11-20\nRevenue[^]*STATUS +ORDERS +MOVED/);
      expect(terminal.text.startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
      const [, left = ""] = terminal.text.split("\u001b[?25h\u001b[?1049l");
      expect(left).toMatch(
        /^centro +Fri 2026-11-20\nRevenue[^]*\nSTATUS +ORDERS +MOVED\n[^]*\nAs of [^\n]*\n$/,
      );
      expect([keys.raw, last.size]).toEqual([[true, false], 0]);
      expect(machine.stderr.text).toBe("warning: said meanwhile\n");
    });

    test("ends with 130 at Ctrl-C, and gives the terminal back", async () => {
      const { machine, keys, terminal } = await open();
      between = [
        async () => {
          keys.write("\u0003");
          await given();
        },
      ];
      const { error } = await runToFailure(live, { ...machine, stdout: terminal }, options);
      expect(error.code).toBe("interrupted");
      expect(terminal.text.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
      expect(keys.raw).toEqual([true, false]);
    });
  });
});
