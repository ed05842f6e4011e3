import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";

import { describe, expect, test, vi } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { helpsOfAll } from "../support/help.js";
import { containing } from "../support/output.js";
import { Machine } from "../support/program.js";

const machine = new Machine({ NO_COLOR: "1" });
const run = (...words: readonly string[]) => machine.inProcess(["emulator", ...words]);

/**
 * Starts an emulator, uses it, and interrupts it.
 *
 * @param work receives the emulator's address and what it has printed
 */
async function whileRunning(words: readonly string[], work: (url: string, said: string) => Promise<void>) {
  const stop = new AbortController();
  let said = "";
  const add = (text: string) => {
    said += text;
  };
  const line = ["emulator", "start", "--port", "0", ...words];
  const ended = machine.inProcess(line, { signal: stop.signal, onStdout: add, onStderr: add });
  await vi.waitFor(() => expect(said).toMatch(/^API key: /m), { timeout: 20_000 });
  const [url = ""] = /http:\/\/[\w.:[\]]+/.exec(said) ?? [];
  await work(url, said);
  stop.abort(new ComandaError("interrupted", "Interrupted."));
  expect(await ended).toMatchObject({ code: 130 });
  await expect(fetch(url)).rejects.toThrow();
}

describe("emulator start", () => {
  test("accepts faults and readings", async () => {
    const words = ["--fault", "status=503,path=/dispatch,times=2", "--fault", "hang"];
    words.push("--reading", "conflict_status=422", "--orders", "3");
    await whileRunning(words, async (url) => {
      const of = async (what: string): Promise<unknown> => (await fetch(`${url}/_emulator/${what}`)).json();
      const faults = [{ status: 503, path: "/dispatch", times: 2 }, { hang: true }];
      expect(await of("faults")).toEqual({ faults });
      const { readings } = (await of("readings")) as { readings: { name: string }[] };
      expect(readings.find(({ name }) => name === "conflict_status")).toMatchObject({ value: 422 });
    });
  });

  test("prints ids of orders in each status that a command changes", async () => {
    await whileRunning([], async (url, said) => {
      for (const status of ["confirmed", "ready", "released", "delivered"]) {
        const id = new RegExp(`^  ${status}: (\\d+) `, "m").exec(said)?.[1] ?? "";
        const order: unknown = await (await fetch(`${url}/_emulator/orders/${id}`)).json();
        expect(order).toMatchObject({ id: Number(id), status, order_type: "delivery", merchant_id: 501 });
      }
    });
  });

  test("on another loopback address requires no control token", async () => {
    await whileRunning(["--host", "::1", "--orders", "0"], async (url, said) => {
      expect((await fetch(`${url}/_emulator/stores`)).status).toBe(200);
      expect(said).not.toMatch(/bearer token|Some delivery orders/);
      // In zsh, a bracket that isn't quoted is a pattern.
      expect(said).not.toMatch(/--base-url [^' ]*\[/);
    });
  });

  test.each([
    ["--port 65536", 'Invalid value "65536" for --port.'],
    ["--scene busy --orders 5", "--scene busy can't be used with --orders"],
    ["--reading conflict_status=500", 'Invalid value "500" for conflict_status.'],
    ["--reading conflict=422", 'Did you mean "conflict_status"?\n  See: comanda emulator readings'],
    ["--fault path", "path must be text."],
    ["--host 203.0.113.9", "203.0.113.9:4100: this machine doesn't have this address."],
    ["--stores /nowhere/stores.json", "/nowhere/stores.json can't be read"],
  ])("rejects %s", async (options, message) => {
    expect(await run("start", ...options.split(" "))).toMatchObject({ code: 2, stderr: containing(message) });
  });
});

test.each(["en", "pt-BR"] as const)("the help in %s names every fault and condition", async (language) => {
  const { stderr } = await run("start", "--fault", "reset,explode");
  const names = /Use one of (.*)\.\n/.exec(stderr)?.[1]?.split(", ") ?? [];
  expect(names.length).toBeGreaterThan(15);
  const helps = await helpsOfAll(language);
  for (const command of ["emulator start", "emulator exec"]) {
    const [, list = "", rest = ""] = /: (status=503, [^.]*)\.([^]*)/.exec(helps.get(command) ?? "") ?? [];
    const listed = [...(list.match(/\w+/g) ?? []), ...(rest.match(/\w+(?==)/g) ?? [])];
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  }
});

test("emulator exec reads stores from a file, and reports each mistake in it", async () => {
  const stores = path.join(machine.folder, "stores.json");
  const script =
    "fetch(process.env.COMANDA_EMULATOR_URL + '/_emulator/stores').then((answer) => answer.json())" +
    ".then(({ stores }) => { process.exitCode = stores[0].name === 'Centro' ? 0 : 9; })";
  const line = ["exec", "--orders", "1", "--stores", stores, "--", process.execPath, "-e", script];
  writeFileSync(stores, '[{ "id": 7, "name": "Centro" }]');
  expect(await run(...line)).toMatchObject({ code: 0, stderr: "" });
  for (const [text, problem] of [
    ["[", "isn't valid JSON."],
    ['[{ "id": 7, "nome": "Centro" }]', 'stores.json: [0] has no field "nome". Did you mean "name"?'],
  ] as const) {
    writeFileSync(stores, text);
    expect(await run(...line), text).toMatchObject({ code: 2, stderr: containing(problem) });
  }
});

test("the examples for Compose and CI use valid command lines", async () => {
  const example = (name: string) =>
    readFileSync(path.join(import.meta.dirname, "../../examples", name), "utf8");
  const [, command = ""] =
    /^ +command: \[emulator, start, (.+)\]$/m.exec(example("emulator-compose.yaml")) ?? [];
  const words = command.replaceAll('"', "").split(", ");
  // Other machines have access, and its control API requires the token printed on stderr.
  await whileRunning(words, async (url, said) => {
    const token = /token: (\S{32})\n/.exec(said)?.[1] ?? "none";
    const statusFor = (bearer: string) =>
      new Promise((resolve) => {
        const headers = { host: "emulator:4100", authorization: `Bearer ${bearer}` };
        get(`${url}/_emulator/stores`, { headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
      });
    expect(await statusFor("sixteen-letters")).toBe(401);
    expect(await statusFor(token)).toBe(200);
  });
  const runs = example("emulator-ci.yaml").matchAll(/npx comanda emulator (exec .+) npm test$/gm);
  const lines = [...runs].map(([, line = ""]) => line);
  expect(lines).toEqual(["exec --no-limits --", "exec --no-limits --matrix --"]);
  for (const line of lines)
    expect((await run(...line.split(" "), "sh", "-c", "exit 3")).code).toBeGreaterThan(0);
});
