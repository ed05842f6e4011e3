import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { authorizeAsOwner } from "../support/emulators.js";
import { Bench } from "../support/bench.js";
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
    bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
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
      ["\u0003", 130, "confirmed"],
    ])("asks; the answer %j ends with %i and leaves them %s", async (keys, exit, status) => {
      const ids = await twoOrders();
      const { code, stdout } = await at(["orders", "cancel", ...ids], [["undone", `${keys}\r`]]);
      expect(stdout).toContain("Cancel 2 orders at centro?");
      expect(code).toBe(exit);
      expect(statuses(ids)).toEqual([status, status]);
    });
  });

  test("each group is drawn once at 40 columns, beside its bar; a terminal of 0 columns is one of 80", async () => {
    await bench.order();
    for (const [columns, times] of [
      [40, 1],
      [0, 2],
    ] as const) {
      const line = "grouped --by order_type --period today --tz UTC --chart --no-color";
      expect((await sized(line, columns)).stdout.match(/Entrega/g)).toHaveLength(times);
    }
  });

  describe("many orders", () => {
    const slowly = () => {
      bench.emulator.service.faults.set([{ delay: 150, path: "/dispatch" }]);
    };

    test("show a progress bar, and the table on a clean line", async () => {
      slowly();
      const ids = await Promise.all([1, 2, 3, 4, 5].map(() => bench.order()));
      const { code, stdout } = await at(["orders", "dispatch", ...ids]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`\r${esc}\\[2Kdispatch [█░]{30} [1-4]/5`));
      expect(stdout).toMatch(new RegExp(`${esc}\\[2K${esc}\\[2mORDER${esc}\\[22m +`));
    });

    test("say what a rate limit makes them wait for; Ctrl-C ends that, and the run can be gone on with", async () => {
      const ids = await Promise.all([1, 2, 3].map(() => bench.order()));
      bench.emulator.service.faults.set([{ rate_limit: 120, path: "/dispatch" }]);
      const line = ["orders", "dispatch", ...ids];
      const { code, stdout } = await at(line, [["asks to slow down", "now:\u0003"]]);
      bench.emulator.service.faults.set([]);
      expect(code).toBe(130);
      expect(stdout).toMatch(/The service asks to slow down\. Waiting \d+ s\./);
      expect(statuses(ids)).toEqual(["confirmed", "confirmed", "confirmed"]);
      const history = await bench.inProcess("history --json --outcome refused");
      expect(parseJson(history.stdout.split("\n")[0] ?? "")).toMatchObject({ http_status: 429 });
      const resumed = await bench.inProcess(["orders", "dispatch", ...ids, "--resume"]);
      expect([resumed.code, statuses(ids)]).toEqual([0, ["released", "released", "released"]]);
    });
  });

  describe("login", () => {
    const addressOn = async (running: Running) => (await running.lineOn("stdout", /^http\S+\r$/)).trim();

    const askZone = "Which time zone is that";
    const zoneOf = async (store: string) =>
      parseJson((await bench.inProcess(["status", "--json", "--store", store])).stdout);

    test("takes the pasted address where the browser can't come back, and doesn't show it", async () => {
      const { baseUrl, authUrl, clientId, service } = bench.emulator;
      const app = service.server.approvedApp(clientId);
      const redirectUri = "https://app.example/back";
      service.server.setApp({ ...app, redirectUris: [...app.redirectUris, redirectUri] });
      await bench.machine.inProcess([
        ...["env", "set", "longe", "--base-url", baseUrl, "--auth-url", authUrl],
        ...["--client-id", clientId, "--redirect-uri", redirectUri],
      ]);
      const pasted = path.join(bench.machine.folder, "pasted");
      const running = startAtTerminal(bench.machine, ["login", "--store", "longe", "--env", "longe"], {
        env: { TZ: "UTC" },
        steps: [
          ["isn't shown", `${redirectUri}?code=planted_code&state=planted_state\r`],
          ["isn't shown", `file:${pasted}`],
          // UTC is a server's: Enter doesn't take it.
          [askZone, "\r"],
          [askZone, "sao paolo\r"],
          ["Is it America/Sao_Paulo\\?", "what\r"],
          ["Is it America/Sao_Paulo\\?", "\r"],
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
  });
});
