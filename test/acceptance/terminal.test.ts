import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { authorizeAsOwner } from "../../src/emulator/http/portal/scripted-owner.js";
import { Bench } from "../support/bench.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import type { Running } from "../support/program.js";
import {
  atTerminal,
  startAtTerminal,
  terminalAvailable,
  type Step,
  type TerminalOptions,
} from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

const esc = "\u001b";

describe.skipIf(!terminalAvailable)("at a terminal", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.signIn();
  });
  afterAll(() => bench.close());

  const at = (args: readonly string[], steps: readonly Step[] = [], env: Record<string, string> = {}) =>
    atTerminal(bench.machine, args, { steps, env });
  const sized = (line: string, columns: number, options: Omit<TerminalOptions, "columns"> = {}) =>
    atTerminal(bench.machine, line.split(" "), { columns, ...options });
  const twoOrders = async () => [await bench.order(), await bench.order()] as const;
  const statuses = (ids: readonly string[]) => ids.map((id) => bench.stored(id).status);

  describe("cancelling several orders", () => {
    test.each([
      ["y", 0, "canceled"],
      ["n", 0, "confirmed"],
      ["", 0, "confirmed"],
      ["perhaps", 0, "confirmed"],
      ["\u0003", 130, "confirmed"],
    ])("asks; the answer %j ends with %i and leaves them %s", async (keys, exit, status) => {
      const ids = await twoOrders();
      const { code, stdout } = await at(["orders", "cancel", ...ids], [["undone", `${keys}\r`]]);
      expect(stdout).toContain("Cancel 2 orders at centro (test)?");
      expect(code).toBe(exit);
      expect(statuses(ids)).toEqual([status, status]);
      if (exit === 0 && status === "confirmed") expect(stdout).toContain("Nothing was canceled.");
    });

    test("doesn't ask with --yes, nor for one", async () => {
      const ids = await twoOrders();
      expect((await at(["orders", "cancel", ...ids, "--yes"])).code).toBe(0);
      expect((await at(["orders", "cancel", await bench.order()])).code).toBe(0);
    });

    test("doesn't ask with --no-input, and so refuses", async () => {
      const ids = await twoOrders();
      const { code, stdout } = await at(["orders", "cancel", ...ids, "--no-input"]);
      expect({ code, said: stdout.includes("--yes") }).toEqual({ code: 2, said: true });
      expect(statuses(ids)).toEqual(["confirmed", "confirmed"]);
    });
  });

  describe("colours", () => {
    test("mark what is done and what is wrong", async () => {
      const order = await bench.order();
      expect((await at(["orders", "dispatch", order])).stdout).toContain(
        `${esc}[32m✓${esc}[39m Order ${order} dispatched.`,
      );
      expect((await at(["orders", "dispatch", order])).stdout).toMatch(new RegExp(`${esc}\\[31m.*error:`));
    });

    test.each([
      ["--no-color", ["--no-color"], {}],
      ["NO_COLOR", [], { NO_COLOR: "1" }],
      ["TERM=dumb", [], { TERM: "dumb" }],
    ])("are left out with %s", async (_, flags, env) => {
      const { code, stdout } = await at(["orders", "dispatch", "99999999", ...flags], [], env);
      expect(code).toBe(5);
      expect(stdout).not.toContain(esc);
    });
  });

  describe("tables", () => {
    test.each([40, 80, 200])(
      "are no wider than a terminal of %i columns, and tear no heading",
      async (columns) => {
        const { code, stdout } = await sized("stores list --no-color", columns);
        expect(code).toBe(0);
        const lines = stdout.split("\r\n");
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
        expect(stdout).toMatch(columns === 40 ? /^Environment +test\r$/m : /^STORE +ENVIRONMENT +DEFAULT/m);
      },
    );

    test("that are longer than the terminal are shown by the pager", async () => {
      const options = { rows: 2, env: { PAGER: "sed s/^/page:/" } };
      expect((await sized("env list", 200, options)).stdout).toMatch(/^page:.*NAME/m);
      expect((await sized("env list --no-pager", 200, options)).stdout).not.toContain("page:");
      expect((await sized("env list", 200, { ...options, rows: 40 })).stdout).not.toContain("page:");
    });

    test("are written as ever where the pager can't be run", async () => {
      const { code, stdout } = await sized("env list --no-color", 200, {
        rows: 2,
        env: { PAGER: "no-such-pager" },
      });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^.*NAME +BASE URL/m);
    });
  });

  test("--plain shows no colour, mark or bar, and asks on one line", async () => {
    const order = await bench.order();
    const dispatched = await at(["orders", "dispatch", order, "--plain"]);
    expect(dispatched.stdout).toBe(`Order ${order} dispatched.\r\n`);
    const ids = await twoOrders();
    const canceled = await at(["orders", "cancel", ...ids, "--plain"], [["y/N", "y\r"]]);
    expect(canceled.code).toBe(0);
    expect(statuses(ids)).toEqual(["canceled", "canceled"]);
    expect(canceled.stdout).not.toMatch(new RegExp(`[█░✓]|${esc}\\[(?!\\?2004|[0-9]*[GJ])`));
  });

  describe("many orders", () => {
    const slowly = () => {
      bench.emulator.service.faults.set([
        { kind: "delay", ms: 150, match: { path: "/dispatch" }, when: "before" },
      ]);
    };

    test("show a progress bar, and the table on a clean line", async () => {
      slowly();
      const ids = await Promise.all([1, 2, 3, 4, 5].map(() => bench.order()));
      const { code, stdout } = await at(["orders", "dispatch", ...ids, "--concurrency", "1"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`\r${esc}\\[2Kdispatch [█░]{30} [1-4]/5`));
      expect(stdout).toMatch(new RegExp(`${esc}\\[2K${esc}\\[2mORDER${esc}\\[22m +`));
    });

    test.each([["--quiet"], ["--json", "--quiet"]])("show none with %s", async (...flags) => {
      slowly();
      const ids = await twoOrders();
      const { stdout } = await at(["orders", "dispatch", ...ids, ...flags]);
      expect(stdout).not.toMatch(/[█░]/);
    });

    test("are not read from a terminal", async () => {
      const { code, stdout } = await at(["orders", "dispatch", "-"]);
      expect({ code, said: stdout.includes("stdin is a terminal") }).toEqual({ code: 2, said: true });
    });
  });

  test("the API key is asked for and not shown", async () => {
    const key = "key_typed_at_a_terminal";
    const { code, stdout } = await at(
      ["login", "--api-key", "--store", "chave", "--env", "test"],
      [["isn't shown", `${key}\r`]],
    );
    expect(code).toBe(0);
    expect(stdout).toContain("API key of chave");
    expect(stdout).not.toContain(key);
    expect(parseJson((await bench.comanda("status --json --store chave")).stdout)).toMatchObject({
      has_api_key: true,
      has_partner_key: false,
    });
  });

  test("Ctrl-C at the prompt for the API key ends with 130 and stores nothing", async () => {
    const before = filesIn(bench.machine.configFolder);
    const { code } = await at(
      ["login", "--api-key", "--store", "nada", "--env", "test"],
      [["isn't shown", "\u0003"]],
    );
    expect(code).toBe(130);
    expect(filesIn(bench.machine.configFolder)).toEqual(before);
  });

  test.each([
    ["y", 0, true],
    ["n", 0, false],
    ["", 0, false],
    ["\u0003", 130, false],
  ])("stores remove asks; the answer %j ends with %i", async (answer, exit, removed) => {
    await bench.comanda("login --api-key --store sobra --env test", { input: "key_abc" });
    const before = snapshot(bench.machine.configFolder);
    const { code, stdout } = await at(["stores", "remove", "sobra"], [["Forget the store", `${answer}\r`]]);
    expect(code).toBe(exit);
    if (exit === 0 && !removed) expect(stdout).toContain("Nothing was removed.");
    expect("sessions/s-sobra.json" in snapshot(bench.machine.configFolder)).toBe(!removed);
    expect(Object.keys(before)).toContain("sessions/s-sobra.json");
  });

  describe("login", () => {
    const addressOn = async (running: Running) => (await running.lineOn("stdout", /^http\S+\r$/)).trim();

    const askZone = "Which time zone is that";
    const zoneOf = async (store: string) =>
      parseJson((await bench.comanda(["status", "--json", "--store", store])).stdout);

    test("takes the pasted address where the browser can't come back, and doesn't show it", async () => {
      const { baseUrl, authUrl, clientId, service } = bench.emulator;
      const app = service.server.findApp(clientId);
      if (!app) throw new Error("the app is registered");
      const redirectUri = "https://app.example/back";
      service.server.setApp({ ...app, redirectUris: [...app.redirectUris, redirectUri] });
      await bench.machine.run([
        ...["env", "set", "longe", "--base-url", baseUrl, "--auth-url", authUrl],
        ...["--client-id", clientId, "--redirect-uri", redirectUri],
      ]);
      const pasted = path.join(bench.machine.folder, "pasted");
      const running = startAtTerminal(bench.machine, ["login", "--store", "longe", "--env", "longe"], {
        steps: [
          ["isn't shown", `${redirectUri}?code=planted_code&state=planted_state\r`],
          ["isn't shown", `file:${pasted}`],
          [askZone, "America/Sao_Paolo\r"],
          ['Did you mean "America/Sao_Paulo"', "America/Sao_Paulo\r"],
        ],
      });
      const { redirectedTo } = await authorizeAsOwner(await addressOn(running));
      writeFileSync(pasted, `${redirectedTo}\r`);
      const { code, stdout } = await running.finished;
      expect(code).toBe(0);
      expect(stdout).toContain("Signed in at longe (longe)");
      expect(stdout).toContain("The days of longe are counted in America/Sao_Paulo.");
      expect(await zoneOf("longe")).toMatchObject({ time_zone: "America/Sao_Paulo" });
      expect(stdout).not.toContain("planted");
      expect(stdout).not.toContain(new URL(redirectedTo).searchParams.get("code"));
    });

    test("ends at the redirect address while it offers to paste", async () => {
      const words = ["login", "--store", "praia", "--env", "test", "--no-browser"];
      const env = { TZ: "Asia/Tokyo" };
      const running = startAtTerminal(bench.machine, words, { env, steps: [[askZone, "\r"]] });
      await authorizeAsOwner(await addressOn(running));
      const { code, stdout } = await running.finished;
      expect({ code, done: stdout.includes("Signed in at praia (test)") }).toEqual({ code: 0, done: true });
      expect(await zoneOf("praia")).toMatchObject({ time_zone: "Asia/Tokyo" });
    });

    test("asks for no zone where it is known, nor with --no-input; Ctrl-C at it leaves the sign-in", async () => {
      const signIn = async (store: string, more: readonly string[], steps: readonly Step[] = []) => {
        const words = ["login", "--store", store, "--env", "test", "--no-browser", ...more];
        const running = startAtTerminal(bench.machine, words, { steps });
        await authorizeAsOwner(await addressOn(running));
        const { code, stdout } = await running.finished;
        return { code, asked: stdout.includes(askZone) };
      };
      expect(await signIn("norte", ["--no-input"])).toEqual({ code: 0, asked: false });
      expect(await signIn("praia", [])).toEqual({ code: 0, asked: false });
      expect(await signIn("sul", [], [[askZone, "\u0003"]])).toEqual({ code: 130, asked: true });
      expect(await zoneOf("sul")).toMatchObject({ state: "valid", time_zone: null });
    });

    test("ends with 130 at Ctrl-C, frees the port and stores nothing", async () => {
      const before = snapshot(bench.machine.configFolder);
      const { code } = await at(["login", "--store", "nada", "--env", "test"], [["isn't shown", "\u0003"]]);
      expect(code).toBe(130);
      expect(snapshot(bench.machine.configFolder)).toEqual(before);
      await expect(fetch(bench.emulator.redirectUri)).rejects.toThrow();
    });
  });
});
