/** `comanda prefill` told to stop: these calls can't be repeated, so the answer to each that is out is awaited. */
import type { ServerResponse } from "node:http";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { rowsInSearch } from "../support/in-search.js";
import { parseJson, parseJsonLines } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub, type StubService } from "../support/stub-service.js";

/** Under way at once. */
const width = 8;
const orders = 40;
const machine = new Machine();
let stub: StubService;
let env: Record<string, string>;
let waiting: ServerResponse[];
/** Answers that the program did not wait for. */
let lost: number;

beforeAll(async () => {
  stub = await startStub();
  env = { COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key", COMANDA_RATE_LIMITS: "off" };
  const lines = Array.from(
    { length: orders },
    (_, index) => `{"order_type":"takeout","customer":{"name":"${index}"}}\n`,
  );
  writeFileSync(path.join(machine.folder, "many.jsonl"), lines.join(""));
});
afterAll(async () => {
  await stub.close();
  machine.remove();
});

const links = { order_url: "https://menu.example/p/1", checkout_url: "https://menu.example/c/1" };
const answer = (response: ServerResponse) =>
  response
    .writeHead(201, { "content-type": "application/json" })
    .end(JSON.stringify({ id: String(stub.requests.length), ...links }));

/** Starts it, and resolves when the service has got as many requests as there will be. */
async function start(args: readonly string[], requests: number) {
  waiting = [];
  lost = 0;
  const received = new Promise<void>((resolve) => {
    stub.behave((response) => {
      waiting.push(response);
      response.on("close", () => {
        if (!response.writableFinished) lost += 1;
      });
      if (waiting.length === requests) resolve();
    });
  });
  const running = machine.start(["prefill", ...args, "--json"], { env });
  await received;
  return running;
}

const lineSchema = z.looseObject({ outcome: z.string(), order_url: z.nullable(z.string()) });
const outcomesOf = (stdout: string) => {
  const counts: Record<string, number> = {};
  for (const { outcome } of z.parse(z.array(lineSchema), parseJsonLines(stdout)))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};
const waits = /^(Interrupted|Terminated)\. Waiting for the answers that are still out/;

describe("a signal in the midst of many", () => {
  test.each([["SIGTERM", 143], ...rowsInSearch([["SIGINT", 130] as const])] as const)(
    "%s: no more is started, and no link is lost",
    async (signal, exit) => {
      const running = await start(["many.jsonl"], width);
      running.child.kill(signal);
      // The same Ctrl-C, which npx hands on too.
      running.child.kill(signal);
      await running.lineOn("stderr", waits);
      waiting.forEach(answer);
      const { code, stdout, stderr } = await running.finished;
      expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
        code: exit,
        outcomes: { done: width, skipped: orders - width },
      });
      expect(stdout.match(/menu\.example\/p\/1/g)).toHaveLength(width);
      const [counts, error = ""] = stderr.trimEnd().split("\n").slice(1);
      expect(counts).toBe(`${width} done, ${orders - width} skipped`);
      expect(parseJson(error)).toMatchObject({ error: { exit_code: exit } });
      expect(stub.requests).toHaveLength(width);
    },
  );

  test("a second one gives up what is out", async () => {
    const running = await start(["many.jsonl"], width);
    running.child.kill("SIGINT");
    await running.lineOn("stderr", waits);
    await delay(400);
    running.child.kill("SIGINT");
    const { code, stdout } = await running.finished;
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 130,
      outcomes: { unknown: width, skipped: orders - width },
    });
  });

  test("what is out after three seconds is given up, and told", async () => {
    const running = await start(["many.jsonl"], width);
    const since = performance.now();
    running.child.kill("SIGINT");
    const { code, stdout } = await running.finished;
    expect(performance.now() - since).toBeGreaterThan(2_900);
    expect({ code, outcomes: outcomesOf(stdout) }).toEqual({
      code: 130,
      outcomes: { unknown: width, skipped: orders - width },
    });
  });
});

describe("a signal while one order is out", () => {
  test("the link is told all the same, and nothing more is begun", async () => {
    const args = ["--order-type", "takeout", "--qr-file", "one.svg"];
    const running = await start(args, 1);
    running.child.kill("SIGINT");
    await running.lineOn("stderr", waits);
    waiting.forEach(answer);
    const { code, stdout, stderr } = await running.finished;
    expect({ code, stdout: parseJson(stdout) }).toEqual({ code: 130, stdout: { id: "1", ...links } });
    expect(stderr).toMatch(waits);
  });
});

describe("a reader that goes", () => {
  test("ends the run quietly, with no request given up", async () => {
    lost = 0;
    const gone = path.join(machine.folder, "gone");
    stub.behave((response) => {
      response.on("close", () => {
        if (!response.writableFinished) lost += 1;
      });
      // One line is read. What is under way then is answered when the reader has gone.
      if (stub.requests.length === 1) answer(response);
      else void until(() => existsSync(gone)).then(() => answer(response));
    });
    const line =
      `{ { comanda prefill many.jsonl --json; echo "$?" >&3; } | ` +
      `{ head -1 >/dev/null; exec <&-; : > gone; }; } 3>&1`;
    const { stdout, stderr } = await machine.shell(line, { env });
    expect({ stdout, stderr, lost }).toEqual({ stdout: "141\n", stderr: "", lost: 0 });
    expect(stub.requests.length).toBeLessThan(orders);
  });

  test("changes nothing for one order", async () => {
    stub.behave((response) => void answer(response));
    const line = `{ { comanda prefill --order-type takeout; echo "$?" >&3; } | head -1 >/dev/null; } 3>&1`;
    expect(await machine.shell(line, { env })).toMatchObject({ stdout: "0\n", stderr: "" });
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(5);
}
