/** Commands at a terminal: a real one where the keys, its size or Ctrl-C matter, and otherwise streams in this process. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { Bench, parseJson } from "../support/bench.js";
import { authorizeAsOwner } from "../support/emulators.js";
import { rowsInSearch } from "../support/soak.js";
import type { Line } from "../support/program.js";
import { atTerminal, startAtTerminal, terminalAvailable, type Step } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

const esc = "\u001b";
const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();
const { faults } = bench.emulator.service;
afterEach(() => faults.set([]));

/** A terminal in this process. */
const terminal = { columns: 100, looksOn: true };
const chart = "grouped --by order_type --period today --tz UTC --chart --no-color";

describe("a command with terminal streams", () => {
  test("asks before it cancels several orders", async () => {
    const ids = await bench.orders(2);
    const { code, stderr } = await bench.inProcess(["orders", "cancel", ...ids], { answers: ["y"] });
    expect(code).toBe(0);
    expect(stderr).toContain("Cancel 2 orders at centro?");
    expect(bench.statuses(ids)).toEqual(["canceled", "canceled"]);
  });

  test("draws a chart instead of a table on 45 columns, with orders and the total", async () => {
    await bench.order();
    const { stdout } = await bench.inProcess(chart, { columns: 45 });
    expect(stdout.match(/Entrega/g)).toHaveLength(1);
    expect(stdout).toMatch(/^Entrega .* \d+ orders?, [\d.,]+\n(?:.*\n)*Total: \d+ orders?, [\d.,]+\n$/m);
  });

  test("prints the days that sync has stored", async () => {
    const { stdout } = await bench.inProcess("sync --days 5", terminal);
    const stored = /^centro: days stored: 5 \([\d-]+ to [\d-]+\); changed since the last sync: 0\.\n$/;
    expect(stdout).toMatch(stored);
  });

  test("shows a list's progress, then totals and failures", async () => {
    faults.set([{ delay: 150, path: "/dispatch" }]);
    const line = ["orders", "dispatch", ...(await bench.orders(4)), "99999999"];
    const { code, stdout, stderr } = await bench.inProcess(line, terminal);
    expect(code).toBe(10);
    expect(stderr).toMatch(new RegExp(`\r${esc}\\[2Kdispatch [1-4]/5 [1-4] done`));
    expect(stderr).toMatch(new RegExp(`${esc}\\[2K4 done, 1 refused\n`));
    expect(stdout).toMatch(new RegExp(`^${esc}\\[2mORDER${esc}\\[22m +`));
  });

  test("replaces the line about the rate limit with the order that wasn't changed, if it is interrupted", async () => {
    const order = await bench.order();
    faults.set([{ rate_limit: 120, path: "/dispatch" }]);
    const interruption = new AbortController();
    const { code, stderr } = await bench.inProcess(["orders", "dispatch", order], {
      ...terminal,
      signal: interruption.signal,
      onStderr: (text) => {
        if (text.includes("Rate limit: until"))
          interruption.abort(new ComandaError("interrupted", "Interrupted."));
      },
    });
    expect(code).toBe(130);
    const [, after = ""] = stderr.split(/Rate limit: until [^\r]*/);
    expect(stripVTControlCharacters(after).trim()).toBe(
      `error: Order ${order} at centro: interrupted. The order was not changed.\n  Service response: Rate limit exceeded (HTTP 429)`,
    );
  });
});

describe.skipIf(process.platform !== "linux")("a browser", () => {
  const bin = path.join(bench.machine.folder, "desktop");
  const file = path.join(bin, "opened");
  mkdirSync(bin);
  const script = `#!/bin/sh\n{ printf '%s\\n' "$1"; env; } > '${file}.part' && mv '${file}.part' '${file}'\n`;
  writeFileSync(path.join(bin, "xdg-open"), script, { mode: 0o755 });
  afterEach(() => rmSync(file, { force: true }));
  const desktop = { PATH: `${bin}:${bench.machine.env["PATH"] ?? ""}`, DISPLAY: ":99" };
  const order = ["prefill", "--order-type", "takeout", "--open"];
  const link = () =>
    `${bench.emulator.url}/menu/501/prefilled/${bench.emulator.world.prefilledOrders.at(-1)?.id}`;

  test.skipIf(!terminalAvailable)("inherits none of comanda's variables", async () => {
    const env = { ...desktop, ...bench.keyEnvironment(), COMANDA_STATE_KEY: "k", COMANDA_LANG: "en" };
    expect((await atTerminal(bench.machine, order, { env })).code).toBe(0);
    await expect.poll(() => existsSync(file)).toBe(true);
    const [url, ...variables] = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(url).toBe(link());
    expect(variables).toContain("DISPLAY=:99");
    expect(variables.filter((variable) => variable.startsWith("COMANDA_"))).toEqual([]);
  });

  test("isn't opened by prefill --open without a terminal, which says so", async () => {
    const { code, stdout, stderr } = await bench.inProcess(order, { env: bench.keyEnvironment() });
    expect(code).toBe(0);
    expect(stdout).toContain(link());
    expect(stderr).toBe(`warning: The browser didn't open. Open this page yourself: ${link()}\n`);
  });

  test.skipIf(!terminalAvailable).each(
    rowsInSearch<[string, readonly string[], Record<string, string>]>([
      ["--no-browser", ["--no-browser"], {}],
      ["the far end of an SSH", [], { SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22" }],
      ["no desktop", [], { DISPLAY: "" }],
    ]),
  )("isn't opened by login with %s", async (_, options, env) => {
    const line = ["login", "--store", "centro", "--env", "test", "--tz", "UTC", "--no-input", ...options];
    const login = startAtTerminal(bench.machine, line, { env: { ...desktop, ...env } });
    await authorizeAsOwner((await login.lineOn("stdout", /^\s*https?:\/\/\S+\s*$/)).trim());
    expect((await login.finished).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});

describe.skipIf(!terminalAvailable)("at a terminal", () => {
  const [interrupt, end] = ["\u0003", "\u0004"];
  /** Runs a command line, and types keys whenever a text appears. */
  const typing = (line: Line, ...steps: readonly Step[]) => atTerminal(bench.machine, line, { steps });

  test.each([
    ["Ctrl-D", "orders cancel", end],
    ["Ctrl-C", "driver assign", interrupt],
  ])("%s at the question of %s says that nothing was sent", async (_, command, key) => {
    const order = await bench.order();
    const { code, stdout } = await typing(`${command} ${order}`, [`${order}.*[?:)] `, key]);
    expect(code).toBe(130);
    expect(stripVTControlCharacters(stdout)).toContain("error: Interrupted. Nothing was sent.\r\n");
    expect(bench.stored(order)).toMatchObject({ status: "confirmed", driverId: null });
  });

  test.each([
    ["Ctrl-C", interrupt, 130, "error: Interrupted. Nothing was sent."],
    ["Ctrl-D", end, 0, "\r\nNothing was sent."],
  ])("%s at a question of counter says that nothing was sent", async (_, key, exit, words) => {
    const order = await bench.order();
    const question = String.raw`undo this\. \(y/N\) `;
    const { code, stdout } = await typing("counter", ["centro> ", `c ${order}\r`], [question, key]);
    expect(code).toBe(exit);
    expect(stripVTControlCharacters(stdout)).toContain(`${words}\r\n`);
    expect(bench.statuses([order])).toEqual(["confirmed"]);
  });

  test("of 0 columns, which is used like one of 80, a chart follows the table", async () => {
    await bench.order();
    const { stdout } = await atTerminal(bench.machine, chart, { columns: 0 });
    expect(stdout.match(/Entrega/g)).toHaveLength(2);
    expect(stdout).toMatch(/^Entrega +█/m);
  });

  describe.concurrent("while the service hasn't answered", async () => {
    const slow = await Bench.open({ faults: [{ delay: 3_000, path: "/dispatch" }] });
    await slow.signIn();

    test("Ctrl-C replaces the status line with what it waits for", async () => {
      const steps: Step[] = [["the service's response", "now:\u0003"]];
      const line = `orders dispatch ${await slow.order()}`;
      const { code, stdout } = await atTerminal(slow.machine, line, { steps });
      expect(code).toBe(130);
      expect(stdout).toContain(`\r${esc}[2KInterrupted. Waiting for pending answers, at most 3 s.`);
    });

    test.each(["counter", "orders"])(
      "%s records the outcome of a change if its terminal closes",
      async (name) => {
        const order = await slow.order();
        const isCounter = name === "counter";
        const line = isCounter ? name : `orders dispatch ${order}`;
        const dispatch: Step[] = isCounter ? [["centro>", `d ${order}\r`]] : [];
        const steps: Step[] = [...dispatch, ["the service's response", "close:"]];
        const { code } = await atTerminal(slow.machine, line, { steps });
        // It ends by SIGHUP; an abort would be 134.
        expect(code).toBe(129);
        const { stdout } = await slow.inProcess(`history --order ${order} --json`);
        expect(parseJson(stdout)).toMatchObject({ outcome: "done", evidence: "api" });
      },
    );
  });

  test("the counter sends a typed line at once instead of waiting for today's figures", async () => {
    const own = await Bench.open({ faults: [{ rate_limit: 120, path: "/summary" }] });
    await own.signIn();
    const order = await own.order();
    const steps: Step[] = [
      ["Rate limit: until", "now:d "],
      ["centro> d ", `${order}\r`],
      [`Order ${order} dispatched[\\s\\S]*centro>`, "q\r"],
    ];
    const { code, stdout } = await atTerminal(own.machine, "counter", { steps });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/Today|error:|Rate limit[^]*Rate limit/);
  });

  test("Ctrl-C ends the counter while it waits", async () => {
    faults.set([{ rate_limit: 120, path: "/dispatch" }]);
    const dispatch = `d ${await bench.order()}\r`;
    const { code } = await typing("counter", ["centro>", dispatch], ["Rate limit: until", "now:\u0003"]);
    expect(code).toBe(130);
  });

  test.each(["orders cancel 1 2", "login --api-key --store norte --env test"])(
    "%s ends without an abort if its terminal closes during a question",
    async (line) => {
      const { code } = await typing(line, ["2 orders|API key of norte", "close:"]);
      expect(code).toBe(129);
    },
  );

  test("the counter processes lines that are pasted at once, or typed while another runs, until Ctrl-C", async () => {
    const ids = await bench.orders(6);
    const [first = "", second = "", third = ""] = await bench.orders(3);
    faults.set([{ delay: 250, path: "/dispatch" }]);
    const { code, stdout } = await typing(
      "counter",
      ["centro>", ids.map((id) => `d ${id}\r`).join("")],
      [`Order ${ids[5]} dispatched`, `d ${first}\r`],
      // The third line is half typed while the first one runs, and continued later.
      [`d ${first}`, `d ${second}\rd ${third.slice(0, 3)}`],
      [`Order ${second} dispatched`, `${third.slice(3)}\r`],
      [`Order ${third} dispatched[\\s\\S]*centro>`, "\u0003"],
    );
    expect(code).toBe(130);
    const done = [...stdout.matchAll(/Order (\d+) dispatched at centro\./g)].map(([, id]) => id);
    const all = [...ids, first, second, third];
    expect(done).toEqual(all);
    expect(bench.statuses(all)).toEqual(all.map(() => "released"));
  });

  test("the counter accepts no earlier text as an answer, and reports what it didn't process", async () => {
    const [one = "", two = "", three = "", four = ""] = await bench.orders(4);
    const asked = "You can't undo this.";
    const { code, stdout } = await typing(
      "counter",
      // A line that was pasted with it.
      ["centro>", `c ${one} no dough\ry\r`],
      [asked, "n\r"],
      // What was typed before the question.
      ["Nothing was changed", `\u0015c ${two} no dough\ry`],
      [asked, "\r"],
      // A late line of a paste.
      ["Nothing was changed", `\u0015c ${three} no dough\r`],
      [asked, "d 1\r"],
      [`d 1[\\s\\S]*${asked}`, "n\r"],
      ["Nothing was changed", `\u0015q\rd ${four}\r`],
    );
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/Order \d+ canceled|Cancellation of/);
    expect(stdout).not.toContain("Order 1 at centro: ");
    for (const order of ["1", four]) expect(stdout).toContain(`Not processed: d ${order}`);
    expect(bench.statuses([one, two, three, four])).toEqual(Array(4).fill("confirmed"));
  });

  test("login accepts a pasted address without showing it, and asks for the time zone", async () => {
    const { clientId, service } = bench.emulator;
    const app = service.server.approvedApp(clientId);
    const redirectUri = "https://app.example/back";
    service.server.setApp({ ...app, redirectUris: [...app.redirectUris, redirectUri] });
    await bench.setEnvironment("longe", redirectUri);
    const pasted = path.join(bench.machine.folder, "pasted");
    const askZone = "such as SP\\.";
    const running = startAtTerminal(bench.machine, ["login", "--store", "longe", "--env", "longe"], {
      env: { TZ: "UTC" },
      steps: [
        ["isn't shown", `${redirectUri}?code=planted_code&state=planted_state\r`],
        // The first question is drawn twice, so only these words identify the second.
        ["doesn't belong to this sign-in", `file:${pasted}`],
        // Enter doesn't accept UTC, which is a server's zone.
        [askZone, "\r"],
        [askZone, "campinas\r"],
        [askZone, "sp\r"],
        ["the right store\\?", "\r"],
      ],
    });
    const address = await running.lineOn("stdout", /^http\S+\r$/);
    const { redirectedTo } = await authorizeAsOwner(address.trim());
    writeFileSync(pasted, `${redirectedTo}\r`);
    const { code, stdout } = await running.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("Signed in to longe (longe)");
    expect(stdout).toContain(`Sales of longe are counted by day in the time zone America/Sao_Paulo.`);
    // The API has no store name, so the figures show which store it is.
    expect(stdout).toMatch(/REVENUE.*AVG\. ORDER.*\r\n +\d+ +[\d,]+\.\d\d /);
    expect(stdout).toContain(`undo the sign-in: comanda logout --store longe`);
    const status = await bench.inProcess(`status --json --store longe`);
    expect(parseJson(status.stdout)).toMatchObject({ time_zone: "America/Sao_Paulo" });
    // A check mark would accept the wrong address, too.
    expect(stdout).not.toMatch(/planted|undefined|✔/);
    expect(stdout).not.toContain(new URL(redirectedTo).searchParams.get("code"));
  });
});
