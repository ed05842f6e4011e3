/** The counter at work: what is typed goes out by the commands that a person would have typed, or doesn't. */
import { PassThrough } from "node:stream";

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";

import { counter, type CounterLine } from "../../../src/commands/counter/index.js";
import type { Clock } from "../../../src/shared/clock.js";
import { learnDrivers } from "../../../src/state/drivers.js";
import { openStateFolder } from "../../../src/state/state-folder.js";
import { Sink } from "../../support/context.js";
import { parseJsonLines } from "../../support/json.js";
import { openMachine, run } from "../../support/machine.js";
import { StoreDesk } from "../../support/store-desk.js";
import { screenOf } from "../../support/terminal.js";

let store: StoreDesk;
beforeAll(async () => {
  store = await StoreDesk.open();
  await store.comanda("stores set centro --tz America/Sao_Paulo");
  const { folder, clock } = store.desk;
  const driver = {
    key: 11,
    label: "Bia Nogueira",
    total_order_count: 1,
    total_revenue: 1,
    average_order_value: 1,
  };
  const data = openStateFolder({ folder: `${folder}/data`, clock, process });
  await learnDrivers(data, "centro", { group_by: "driver_id", groups: [driver] }, clock.now());
});
afterAll(() => store.close());
beforeEach(() => {
  store.forgetRequests();
});

const writes = () => store.requests().filter((request) => !request.startsWith("GET"));
const outcomeSchema = z.looseObject({ order_id: z.string(), action: z.string(), outcome: z.string() });
const outcomesOf = (stdout: string) =>
  parseJsonLines(stdout).map((line) => {
    const { order_id, action, outcome } = z.parse(outcomeSchema, line);
    return [order_id, action, outcome];
  });

describe("lines on stdin", () => {
  test("are sent as they were typed, and told as orders --json tells them", async () => {
    const [one = "", two = "", three = ""] = await store.orders(3);
    const input = `d ${one} bia 7,50\n${two} 11\nc ${three} acabou a massa\n\nd 99999999\n`;
    const { code, stdout, stderr } = await store.comanda("counter --json", { input });
    expect(outcomesOf(stdout).toSorted()).toEqual(
      [
        ...[one, two].map((id) => [id, "assign", "done"]),
        [three, "cancel", "done"],
        ["99999999", "dispatch", "refused"],
        [one, "dispatch", "done"],
      ].toSorted(),
    );
    expect({ code, stderr }).toEqual({ code: 10, stderr: expect.stringContaining("1 of 5 lines") as string });
    expect(store.stored(one)).toMatchObject({ status: "released", driverId: 11, driverFee: 7.5 });
    expect(store.statuses([two, three])).toEqual(["confirmed", "canceled"]);
    const { stdout: history } = await store.comanda(`history --order ${three} --json`);
    expect(history).toContain("acabou a massa");
  });

  test("of one order go out one after the other, as they were typed", async () => {
    const [one = ""] = await store.orders(1);
    const { code, stdout } = await store.comanda("counter --json", {
      input: `d ${one}\ne ${one}\nf ${one}\n`,
    });
    expect(outcomesOf(stdout)).toEqual(
      ["dispatch", "deliver", "finalize"].map((action) => [one, action, "done"]),
    );
    expect(code).toBe(0);
  });

  test("that can't be understood are told, and the others sent", async () => {
    const [one = ""] = await store.orders(1);
    const input = `x ${one}\n${one}\nd ${one} zoraide\nd ${one}\n`;
    const { code, stdout, stderr } = await store.comanda("counter", { input });
    expect({ code, stdout }).toEqual({ code: 10, stdout: `Order ${one} dispatched.\n` });
    expect(stderr).toContain('"x" is no order\'s id.');
    expect(stderr).toContain(`What is to become of order ${one}?`);
    expect(stderr).toContain('No driver of centro is called "zoraide"');
    expect(stderr).toContain("3 of 4 lines were not done.");
  });

  test("nothing at all ends at once, and live looks all the same", async () => {
    expect(await store.comanda("counter")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect((await store.comanda("live --looks 1")).stdout).toMatch(/^\{"at"/);
    expect((await store.comanda("counter --watch --looks 1")).stdout).toMatch(/^\{"at"/);
  });

  test("of a protected store's cancel need --confirm, and what isn't done of a driver leaves the order", async () => {
    const [one = "", two = ""] = await store.orders(2);
    await store.comanda("stores protect centro");
    const refused = await store.comanda("counter --json", { input: `c ${one}\nd ${two} 987654\n` });
    expect(outcomesOf(refused.stdout)).toEqual([
      [one, "cancel", "failed"],
      [two, "assign", "refused"],
      [two, "dispatch", "skipped"],
    ]);
    expect(refused.stdout).toContain("--confirm centro");
    expect(store.statuses([one, two])).toEqual(["confirmed", "confirmed"]);
    const { code } = await store.comanda("counter --confirm centro", { input: `c ${one}\n` });
    expect([code, ...store.statuses([one])]).toEqual([0, "canceled"]);
    expect(await store.comanda("counter --confirm praia", { input: "" })).toMatchObject({ code: 2 });
    await store.comanda("stores unprotect centro");
  });
});

describe("at a screen", () => {
  class Terminal extends Sink {
    readonly rows = 24;
  }
  class Keys extends PassThrough {
    readonly isTTY = true;
    setRawMode() {
      return this;
    }
  }
  /** A clock that stands still until the test lets it go on. */
  class HeldClock implements Clock {
    #now = store.desk.clock.now();
    #sleeping: { readonly until: number; readonly wake: () => void }[] = [];
    now = () => this.#now;
    every = () => () => undefined;
    sleep = async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      await new Promise<void>((wake) => {
        this.#sleeping.push({ until: this.#now + ms, wake });
        signal?.addEventListener("abort", () => wake(), { once: true });
      });
      signal?.throwIfAborted();
    };
    pass(ms: number) {
      this.#now += ms;
      const due = this.#sleeping.filter(({ until }) => until <= this.#now);
      this.#sleeping = this.#sleeping.filter(({ until }) => until > this.#now);
      for (const { wake } of due) wake();
    }
  }

  const options: CounterLine = {
    ...{ stores: [], allStores: false, watchOnly: false, undoMs: 3_000, confirm: undefined },
    ...{ everyMs: 3_600_000, looks: undefined, maxWaitMs: 0 },
  };
  const open = async () => {
    const [terminal, keys, clock] = [new Terminal(100), new Keys(), new HeldClock()];
    const { folder } = store.desk;
    const context = { stdout: terminal, stdin: keys, clock };
    const machine = await openMachine({ folder, context, input: true });
    const ended = run(counter, { ...machine, stdout: terminal }, options);
    const screen = () => screenOf(terminal.text).join("\n");
    const shows = (text: string) =>
      vi.waitFor(() => expect(screen()).toMatch(new RegExp(text)), { interval: 5, timeout: 5_000 });
    await shows("As of");
    return { machine, keys, clock, terminal, ended, screen, shows };
  };

  test("a change goes out after three seconds, and u takes it back before", async () => {
    const [one = "", two = ""] = await store.orders(2);
    const { keys, clock, ended, shows, screen, machine, terminal } = await open();
    store.forgetRequests();
    keys.write(`d ${one} bi\tx\u007f\r`);
    await shows(`dispatch ${one} → Bia +in 3 s`);
    clock.pass(2_999);
    keys.write(`c ${two} kitchen closed\r`);
    await shows(`cancel ${two} +in 3 s`);
    expect(writes()).toEqual([]);
    clock.pass(1);
    await shows(`dispatch ${one} → Bia +done`);
    expect(writes().map((request) => request.replace(/.*\//, ""))).toEqual(["driver", "dispatch"]);
    keys.write("u");
    await shows(`Taken back: cancel ${two}.`);
    clock.pass(10_000);
    keys.write("u\r");
    await shows("Nothing waits");
    keys.write(`f ${two}\r`);
    await shows(`finalize ${two} +in 3 s`);
    keys.write("q");
    await ended;
    expect(screen()).not.toContain(`cancel ${two} `);
    expect(store.statuses([one, two])).toEqual(["released", "confirmed"]);
    expect(terminal.text).toMatch(/\[\?1049l *centro +Fri 2026-11-20\n/);
    expect(machine.stderr.text).toBe(`This had not gone out yet, and is not sent: finalize ${two}.\n`);
  });

  test("an id alone asks which change, a fault leaves the line, and Tab knows the orders of before", async () => {
    const [one = ""] = await store.orders(1);
    await store.comanda(`orders dispatch ${one}`);
    const { keys, clock, ended, shows } = await open();
    keys.write(`${one}\r`);
    await shows(`What is to become of order ${one}\\?[^]*\n> ${one}`);
    keys.write("d zoraide\r");
    await shows(`No driver of centro is called "zoraide"[^]*\n> ${one} d zoraide`);
    keys.write("\u0015");
    keys.write(`e ${one.slice(-3)}`);
    keys.write("\t");
    await shows(`> e ${one} ?`);
    keys.write("\r");
    await shows("in 3 s");
    clock.pass(3_000);
    await shows(`deliver ${one} +done`);
    keys.write("\u0003");
    await expect(ended).rejects.toMatchObject({ code: "interrupted" });
  });

  test("a protected store's cancel asks for the alias", async () => {
    const [one = ""] = await store.orders(1);
    await store.comanda("stores protect centro");
    const { keys, clock, ended, shows } = await open();
    keys.write(`c ${one}\r`);
    await shows(`Cancel order ${one} at centro \\(test\\)\\?`);
    keys.write("praia\r");
    await shows("That is not the store's alias.");
    keys.write(`c ${one}\r`);
    await shows("Type the store's alias");
    keys.write("centro\r");
    await shows("in 3 s");
    clock.pass(3_000);
    await shows(`cancel ${one} +done`);
    keys.write("q");
    await ended;
    expect(writes()).toHaveLength(1);
    await store.comanda("stores unprotect centro");
  });
});
