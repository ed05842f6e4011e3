import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterEach, beforeAll, describe, expect, test } from "vitest";

import type { FaultInput } from "../../src/emulator/inputs.js";
import { Bench } from "../support/bench.js";
import { authorizeAsOwner } from "../support/emulators.js";
import { rowsInSearch } from "../support/in-search.js";
import { parseJson } from "../support/json.js";
import { atTerminal, startAtTerminal, terminalAvailable, type Step } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

const esc = "\u001b";
const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();
const { faults } = bench.emulator.service;

/** Dispatches an order under a fault, and presses Ctrl-C as soon as a text appears. */
async function interruptedDispatch(fault: FaultInput, shown: string) {
  const [order = ""] = await bench.orders(1);
  faults.set([{ ...fault, path: "/dispatch" }]);
  const { code, stdout } = await atTerminal(bench.machine, ["orders", "dispatch", order], {
    steps: [[shown, "now:\u0003"]],
  });
  faults.set([]);
  return { code, stdout, order };
}

describe.skipIf(!terminalAvailable)("at a terminal", () => {
  test.each<[string, number, string]>([
    ["y", 0, "canceled"],
    ...rowsInSearch<[string, number, string]>([["\u0003", 130, "confirmed"]]),
  ])(
    "canceling several orders asks first: %j exits with %i and leaves them %s",
    async (keys, exit, status) => {
      const ids = await bench.orders(2);
      const { code, stdout } = await atTerminal(bench.machine, ["orders", "cancel", ...ids], {
        steps: [["undo this", `${keys}\r`]],
      });
      expect(code).toBe(exit);
      expect(stdout).toContain("Cancel 2 orders at centro?");
      expect(bench.statuses(ids)).toEqual([status, status]);
    },
  );

  test("login rejects an empty key, and says how to enter one", async () => {
    const line = "login --api-key --store centro --env test";
    const steps: Step[] = [["isn't shown", "\r"]];
    const { code, stdout } = await atTerminal(bench.machine, line.split(" "), { steps });
    expect(code).toBe(2);
    expect(stdout).toContain(
      "No API key was entered.\r\n  Paste the key exactly as the portal shows it.\r\n",
    );
  });

  describe.skipIf(process.platform !== "linux")("a browser", () => {
    const bin = path.join(bench.machine.folder, "desktop");
    const file = path.join(bin, "opened");
    beforeAll(() => {
      mkdirSync(bin);
      const script = `#!/bin/sh\n{ printf '%s\\n' "$1"; env; } > '${file}.part' && mv '${file}.part' '${file}'\n`;
      writeFileSync(path.join(bin, "xdg-open"), script, { mode: 0o755 });
    });
    afterEach(() => rmSync(file, { force: true }));

    test.each([
      ["prefill --order-type takeout --open", bench.keyEnvironment()],
      ["report --period yesterday --tz UTC --out page.html --open", {}],
      ["login --store centro --env test --no-input", {}],
    ])("that %s opens inherits none of comanda's variables", async (line, given) => {
      const desktop = { PATH: `${bin}:${bench.machine.env["PATH"] ?? ""}`, DISPLAY: ":99" };
      const env = { ...desktop, COMANDA_STATE_KEY: "k", COMANDA_LANG: "en", ...given };
      const running = startAtTerminal(bench.machine, line.split(" "), { env });
      await expect.poll(() => existsSync(file)).toBe(true);
      const [url = "", ...variables] = readFileSync(file, "utf8").trimEnd().split("\n");
      if (line.startsWith("login")) await authorizeAsOwner(url, { store: 501 });
      expect((await running.finished).code).toBe(0);
      expect(variables).toContain("DISPLAY=:99");
      expect(variables.filter((variable) => variable.startsWith("COMANDA_"))).toEqual([]);
    });
  });

  const withTotal = /^Entrega .* \d+ orders?, [\d.,]+\r\n(?:.*\r\n)*Total: \d+ orders?, [\d.,]+\r\n$/m;
  test.each([
    ["follows the table on a terminal of 0 columns, which is used like one of 80", 0, 2, /^Entrega +█/m],
    ["replaces the table on a terminal of 45 columns, with orders and the total", 45, 1, withTotal],
  ])("a chart %s", async (_, columns, times, text) => {
    await bench.order();
    const line = "grouped --by order_type --period today --tz UTC --chart --no-color";
    const { stdout } = await atTerminal(bench.machine, line.split(" "), { columns });
    expect(stdout.match(/Entrega/g)).toHaveLength(times);
    expect(stdout).toMatch(text);
  });

  test("sync prints the days that it has stored", async () => {
    const { code, stdout } = await atTerminal(bench.machine, ["sync", "--days", "5"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /centro: days stored: 5 \([\d-]+ to [\d-]+\); changed since the last sync: 0\.\r\n$/,
      ) as string,
    });
  });

  test("a list of orders shows its progress, then totals and failures", async () => {
    faults.set([{ delay: 150, path: "/dispatch" }]);
    const { code, stdout } = await atTerminal(bench.machine, [
      ...["orders", "dispatch"],
      ...(await bench.orders(4)),
      "99999999",
    ]);
    expect(code).toBe(10);
    expect(stdout).toMatch(new RegExp(`\r${esc}\\[2Kdispatch [1-4]/5 [1-4] done`));
    expect(stdout).toMatch(new RegExp(`${esc}\\[2K4 done, 1 refused\r\n${esc}\\[2mORDER${esc}\\[22m +`));
  });

  test("a list shows its wait for the rate limit, which Ctrl-C ends, and --resume sends the rest", async () => {
    const ids = await bench.orders(3);
    faults.set([{ rate_limit: 120, path: "/dispatch" }]);
    const line = ["orders", "dispatch", ...ids];
    const { code, stdout } = await atTerminal(bench.machine, line, {
      steps: [["Rate limit: until", "now:\u0003"]],
    });
    faults.set([]);
    expect(code).toBe(130);
    expect(stdout).toMatch(/dispatch 0\/3 Rate limit: until \d\d:\d\d:\d\d/);
    expect(bench.statuses(ids)).toEqual(["confirmed", "confirmed", "confirmed"]);
    const history = await bench.inProcess("history --json --outcome refused");
    expect(parseJson(history.stdout.split("\n")[0] ?? "")).toMatchObject({ http_status: 429 });
    expect((await bench.inProcess([...line, "--resume"])).code).toBe(0);
    expect(bench.statuses(ids)).toEqual(["released", "released", "released"]);
  });

  test("Ctrl-C during a request replaces the status line with what it waits for", async () => {
    const { code, stdout } = await interruptedDispatch({ delay: 3_000 }, "the service's response");
    expect(code).toBe(130);
    expect(stdout).toContain(`\r${esc}[2KInterrupted. Waiting for pending answers.`);
  });

  test("Ctrl-C replaces the line about the rate limit with the order that wasn't changed", async () => {
    const { code, stdout, order } = await interruptedDispatch({ rate_limit: 120 }, "Rate limit: until");
    expect(code).toBe(130);
    const [, after = ""] = stdout.split(/Rate limit: until [^\r]*/);
    expect(stripVTControlCharacters(after).trim()).toBe(
      `error: Order ${order} at centro: interrupted. The order was not changed.`,
    );
  });

  test("Ctrl-C ends the counter at its prompt and while it waits", async () => {
    const [order = ""] = await bench.orders(1);
    faults.set([{ rate_limit: 120, path: "/dispatch" }]);
    const waiting = [["centro>", `d ${order}\r`] as const, ["Rate limit: until", "now:\u0003"] as const];
    for (const steps of [[["centro>", "\u0003"] as const], waiting])
      expect(await atTerminal(bench.machine, ["counter"], { steps })).toMatchObject({ code: 130 });
    faults.set([]);
  });

  describe("the counter", () => {
    const slow = [{ delay: 400, path: "/dispatch" }];
    const counter = async (steps: readonly Step[]) => atTerminal(bench.machine, ["counter"], { steps });
    afterEach(() => faults.set([]));

    test("processes six lines that are pasted at once, in their order", async () => {
      const ids = await bench.orders(6);
      faults.set(slow);
      const paste = ids.map((id) => `d ${id}\r`).join("");
      const { code, stdout } = await counter([
        ["centro>", paste],
        [`Order ${ids[5]} dispatched`, "q\r"],
      ]);
      expect(code).toBe(0);
      const done = [...stdout.matchAll(/Order (\d+) dispatched at centro\./g)].map(([, id]) => id);
      expect(done).toEqual(ids);
      expect(bench.statuses(ids)).toEqual(ids.map(() => "released"));
    });

    test("processes a line that is typed while an earlier one runs, and continues one that is half typed", async () => {
      const [first = "", second = "", third = ""] = await bench.orders(3);
      faults.set(slow);
      const { code } = await counter([
        ["centro>", `d ${first}\r`],
        [`d ${first}`, `d ${second}\rd ${third.slice(0, 3)}`],
        [`Order ${second} dispatched`, `${third.slice(3)}\r`],
        [`Order ${third} dispatched`, "q\r"],
      ]);
      expect(code).toBe(0);
      expect(bench.statuses([first, second, third])).toEqual(["released", "released", "released"]);
    });

    const asked = "You can't undo this.";
    test.each<[string, string, readonly Step[]]>([
      ["a line that was pasted with it", "y\r", [[asked, "n\r"]]],
      ["what was typed before its question", "y", [[asked, "\r"]]],
      [
        "a late line of a paste",
        "",
        [
          [asked, "d 1\r"],
          [`d 1[\\s\\S]*${asked}`, "n\r"],
        ],
      ],
    ])("doesn't accept %s as the answer to a question", async (_, early, answers) => {
      const [order = ""] = await bench.orders(1);
      const { code, stdout } = await counter([
        ["centro>", `c ${order} no dough\r${early}`],
        ...answers,
        ["Nothing was changed", "\u0015q\r"],
      ]);
      expect(code).toBe(0);
      expect(stdout).not.toContain(`Order ${order} canceled`);
      expect(bench.statuses([order])).toEqual(["confirmed"]);
      if (early === "") expect(stdout).toContain("Order 1 at centro: ");
    });

    test("reports the lines that it didn't process", async () => {
      const [order = ""] = await bench.orders(1);
      const { code, stdout } = await counter([["centro>", `q\rd ${order}\r`]]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Not processed: d ${order}`);
      expect(bench.statuses([order])).toEqual(["confirmed"]);
    });
  });

  test.each(["UTC", "junk"])(
    "login with TZ=%s accepts a pasted address without showing it, and asks for the time zone",
    async (TZ) => {
      const { clientId, service } = bench.emulator;
      const app = service.server.approvedApp(clientId);
      const redirectUri = "https://app.example/back";
      service.server.setApp({ ...app, redirectUris: [...app.redirectUris, redirectUri] });
      await bench.setEnvironment("longe", redirectUri);
      const pasted = path.join(bench.machine.folder, `pasted-${TZ}`);
      const store = `longe-${TZ.toLowerCase()}`;
      const askZone = "state capital\\.";
      const running = startAtTerminal(bench.machine, ["login", "--store", store, "--env", "longe"], {
        env: { TZ },
        steps: [
          ["isn't shown", `${redirectUri}?code=planted_code&state=planted_state\r`],
          // The first question is drawn twice, so only these words identify the second.
          ["doesn't belong to this sign-in", `file:${pasted}`],
          // Enter accepts neither UTC, which is a server's zone, nor an unknown zone.
          [askZone, "\r"],
          [askZone, "campinas\r"],
          // Only "y" accepts the zone of a city.
          [askZone, "curitiba\r"],
          ["Did you mean America/Sao_Paulo\\?", "\r"],
          [askZone, "sp\r"],
          ["the right store\\?", "\r"],
        ],
      });
      const address = await running.lineOn("stdout", /^http\S+\r$/);
      const { redirectedTo } = await authorizeAsOwner(address.trim());
      writeFileSync(pasted, `${redirectedTo}\r`);
      const { code, stdout } = await running.finished;
      expect(code).toBe(0);
      expect(stdout).toContain(`Signed in to ${store} (longe)`);
      expect(stdout).toContain(`Sales of ${store} are counted by day in the time zone America/Sao_Paulo.`);
      // The API has no store name, so the figures show which store it is.
      expect(stdout).toMatch(/REVENUE.*AVG\. ORDER.*\r\n +\d+ +[\d,]+\.\d\d /);
      expect(stdout).toContain(`undo the sign-in: comanda logout --store ${store}`);
      const status = await bench.inProcess(`status --json --store ${store}`);
      expect(parseJson(status.stdout)).toMatchObject({ time_zone: "America/Sao_Paulo" });
      // A check mark would accept the wrong address, too.
      expect(stdout).not.toMatch(/planted|undefined|✔/);
      expect(stdout).not.toContain(new URL(redirectedTo).searchParams.get("code"));
    },
  );
});
