/** The notice of a newer version, by the built program at a terminal, with a server that says which is the newest. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Machine } from "../support/program.js";
import { atTerminal, terminalAvailable } from "../support/terminal.js";

const notice = "There is a newer comanda: 99.0.0.";

describe.skipIf(!terminalAvailable)("the notice of a newer version", () => {
  let server: Server;
  let asked: { readonly head: Readonly<Record<string, unknown>>; readonly answer: ServerResponse }[] = [];
  let isHanging = false;
  let machine: Machine;
  beforeAll(async () => {
    server = createServer(({ headers, url }, answer) => {
      asked.push({ head: { ...headers, url }, answer });
      if (!isHanging) answer.end('{"name":"comanda","version":"99.0.0"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    asked = [];
    isHanging = false;
    machine = new Machine();
    const { port } = server.address() as AddressInfo;
    await machine.inProcess(["config", "set", "updates.url", `http://127.0.0.1:${port}/latest?of=comanda`]);
  });
  afterEach(() => machine.remove());

  const stored = () => path.join(machine.configFolder, "updates.json");
  const run = async (env: Readonly<Record<string, string>> = {}) =>
    (await atTerminal(machine, ["config", "path"], { env })).stdout;

  test("is there on the run after the one that has asked, and then no more that day", async () => {
    const first = await run({ COMANDA_API_KEY: "a-secret", COMANDA_STORE: "centro" });
    expect(first).toContain("settings.json");
    expect(first).not.toContain("newer");
    await expect.poll(() => readFileSync(stored(), "utf8"), { timeout: 20_000 }).toContain("99.0.0");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.head).toMatchObject({
      url: "/latest?of=comanda",
      "user-agent": expect.stringMatching(/^comanda\/\d/) as string,
    });
    expect(JSON.stringify(asked[0]?.head)).not.toMatch(/secret|centro/);

    expect(await run({ COMANDA_NO_UPDATE_NOTICE: "1" })).not.toContain("newer");
    expect((await machine.run(["config", "path"])).stderr).toBe("");
    expect(await run()).toContain(notice);
    expect(await run()).not.toContain("newer");
    expect(asked).toHaveLength(1);
  });

  test("a server that hangs keeps nobody waiting", async () => {
    isHanging = true;
    expect(await run()).toContain("settings.json");
    // The command has ended, and its question is still without an answer.
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1);
    expect(asked[0]?.answer.writableEnded).toBe(false);
    expect(await run()).not.toContain("newer");
    expect(asked).toHaveLength(1);
  });

  test("without an address nothing is kept, and nobody asked", async () => {
    rmSync(path.join(machine.configFolder, "settings.json"));
    await run();
    expect(existsSync(stored())).toBe(false);
    expect(asked).toHaveLength(0);
  });
});
