/**
 * Every command line of the README, and of its Portuguese sister, runs as printed, in the order in which they stand there: in this process, or in a
 * shell where it needs one. The emulator takes the place of the service; the orders that the README names are made
 * beforehand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import { authorizeAsOwner, makeOrder } from "../support/emulators.js";
import { ComandaError } from "../../src/base/errors.js";
import { freePort } from "../support/free-port.js";
import type { InProcessOptions } from "../support/context.js";
import { rowsInSearch } from "../support/in-search.js";
import { Machine, type Ended } from "../support/program.js";

interface Line {
  /** As `sh` gets it. */
  readonly line: string;
  /** One of a crontab: its five fields of time are left out. */
  readonly isCron: boolean;
}

/** The lines of every `sh` and `crontab` block. */
function linesOf(document: string): readonly Line[] {
  const text = readFileSync(path.resolve(import.meta.dirname, "../..", document), "utf8");
  return [...text.matchAll(/^```(sh|crontab)\n(.*?)^```/gms)].flatMap(([, kind, body = ""]) =>
    body
      .replaceAll("\\\n", "")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line): Line => {
        const isCron = kind === "crontab";
        return { line: isCron ? line.split(/ +/).slice(5).join(" ") : line, isCron };
      }),
  );
}

/** One command without pipes, files or anything else of the shell's; then its words. */
const plain = /^comanda(?: +(?:[^\s"'`$\\|<>&;()]|"[^"`$\\]*"|'[^']*')+)+$/;
const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ""));

/** CI runs this by itself. */
const setUp = "npm ci && npm run demo";

describe.each(["README.md", ...rowsInSearch(["LEIAME.md"])])("%s", (document) => {
  // What both say runs once.
  const before = document === "README.md" ? [] : linesOf("README.md").map(({ line }) => line);
  const lines = linesOf(document);
  // A report takes more calls than a minute allows, and the waiting is tested elsewhere.
  // The machine is where its store is: what the day is called, `date` and comanda have to agree.
  const machine = new Machine({ COMANDA_RATE_LIMITS: "off", TZ: "America/Sao_Paulo" });
  let emulator: Emulator;
  let redirectUri: string;

  beforeAll(async () => {
    redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    emulator = await startEmulator({ scene: "busy", rateLimits: false, redirectUris: [redirectUri] });
    const store = [...emulator.world.stores.values()][0];
    for (const file of ["key.txt", "chave.txt"])
      writeFileSync(path.join(machine.folder, file), `${store?.apiKey ?? ""}\n`);
    writeFileSync(path.join(machine.folder, "ids.txt"), "# today\n4713\n\n4714\n4715\n");
    writeFileSync(path.join(machine.folder, "done.txt"), "4719\n");
  });
  afterAll(async () => {
    await emulator.close();
    machine.remove();
  });

  test("has lines to run", () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.map(({ line }) => line)).toContain(setUp);
  });

  test.each(lines.filter(({ line }) => line !== setUp && !before.includes(line)))(
    "$line",
    async ({ line, isCron }) => {
      await prepare(line);
      const command = line.replaceAll(/\/(srv\/shop|var\/log)\//g, `${machine.folder}/`);
      if (line.includes("emulator start")) {
        // The last --port counts: the printed one may be in use on the machine that runs the tests.
        const interruption = new AbortController();
        const { code } = await machine.inProcess([...line.split(" ").slice(1), "--port", "0"], {
          signal: interruption.signal,
          onStdout: (text) => {
            if (text.includes("127.0.0.1")) interruption.abort(new ComandaError("terminated", "Ended."));
          },
        });
        expect(code).toBe(143);
        return;
      }
      if (plain.test(command) && !isCron) {
        const words = wordsOf(command).slice(1);
        const { code, stderr } = await (line.includes("login --store") ? signInHere(words) : runHere(words));
        expect(code, stderr).toBe(0);
        return;
      }
      const { code, stderr } = await machine.shell(command);
      expect(code, stderr).toBe(0);
      // The runs here are as cron's: no terminal, and a bare environment. What cron finds on stderr it mails.
      if (isCron) expect(stderr).toBe("");
    },
  );

  /** In this process, and in the folder that a shell would run it in. */
  async function runHere(args: readonly string[], options?: InProcessOptions): Promise<Ended> {
    const before = process.cwd();
    process.chdir(machine.folder);
    try {
      return await machine.inProcess(args, options);
    } finally {
      process.chdir(before);
    }
  }

  /** The README's reader has a terminal. Without one `--no-browser` says that a program opens the address. */
  async function signInHere(words: readonly string[]): Promise<Ended> {
    let said = "";
    let opened: Promise<unknown> | undefined;
    const ended = await runHere([...words, "--no-browser"], {
      onStderr: (text) => {
        said += text;
        const [address] = /^https?:\/\/\S+(?=\n)/m.exec(said) ?? [];
        if (address !== undefined) opened ??= authorizeAsOwner(address);
      },
    });
    await opened;
    return ended;
  }

  /** Addresses and orders as the README takes them for granted. */
  async function prepare(line: string): Promise<void> {
    const environment = /--env (\S+)/.exec(line)?.[1];
    if (environment !== undefined) {
      await machine.inProcess([
        ...["env", "set", environment, "--base-url", emulator.baseUrl, "--auth-url", emulator.authUrl],
        ...["--client-id", emulator.clientId, "--redirect-uri", redirectUri],
      ]);
    }
    const ids = [...line.matchAll(/\b47\d\d\b/g)].map(([match]) => Number(match));
    for (const id of line.includes("done.txt") ? [...ids, 4719] : ids)
      if (emulator.world.orders.find(id) === undefined)
        await makeOrder(emulator, { id, status: line.includes(" deliver ") ? "released" : "confirmed" });
    const settled = /history settle (\d+)/.exec(line)?.[1];
    if (settled !== undefined) await loseAnswer(settled);
  }

  /** Of a change of this order nobody knows what became. */
  async function loseAnswer(id: string): Promise<void> {
    emulator.service.faults.set([{ reset: true, when: "after", times: 1 }]);
    expect((await machine.inProcess(["orders", "dispatch", id])).code).toBe(9);
  }
});
