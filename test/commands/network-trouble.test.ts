/** What the network does to a call, and what a person reads of it. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { freePort } from "../support/free-port.js";
import { jumpingClock } from "../client/support/clock.js";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub, type Behaviour, type StubService } from "../support/stub-service.js";

let machine: Machine;
let stub: StubService;
beforeAll(async () => {
  machine = new Machine();
  stub = await startStub();
});
afterAll(async () => {
  await stub.close();
  machine.remove();
});

const credential = { COMANDA_ACCESS_TOKEN: "at_network", COMANDA_RATE_LIMITS: "off" };
const ask = async (behaviour: Behaviour, line: string) => {
  stub.behave(behaviour);
  const env = { COMANDA_BASE_URL: stub.url, ...credential };
  return machine.inProcess(line.split(" "), { env, clock: jumpingClock() });
};

const reset: Behaviour = (response) => void response.socket?.resetAndDestroy();
const hang: Behaviour = () => undefined;
const half: Behaviour = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "50" });
  response.write('{"id":', () => void response.socket?.destroy());
};

describe("an outcome that nobody knows", () => {
  test.each<[string, Behaviour, string]>([
    ["a connection that is reset", reset, ""],
    ["no answer in time", hang, " --timeout 400ms"],
    ["half an answer", half, ""],
  ])("%s: exit 9, sent once", async (_, behaviour, more) => {
    const { code, stdout, stderr } = await ask(behaviour, `orders dispatch 7${more}`);
    expect({ code, stdout }).toEqual({ code: 9, stdout: "" });
    expect(stderr).toMatch(
      /it is not known whether it was done[\s\S]*\n {2}Look at the order in the store's portal/,
    );
    expect(stub.requests).toHaveLength(1);
  });
});

describe("what may be asked again", () => {
  test("asks again after the limit's window at the latest, whatever the service says", async () => {
    let calls = 0;
    const { code, stderr } = await ask((response) => {
      calls += 1;
      if (calls === 1) response.writeHead(429, { "retry-after": "86400" }).end();
      else response.writeHead(204).end();
    }, "orders dispatch 7");
    expect(code).toBe(0);
    expect(stderr).toMatch(/Waiting 180 s\./);
  });

  test("does not wait longer than --max-wait: exit 7", async () => {
    const limited: Behaviour = (response) => void response.writeHead(429, { "retry-after": "60" }).end();
    const { code, stdout, stderr } = await ask(limited, "orders dispatch 7 --max-wait 30s");
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
    expect(stderr).toContain("--max-wait");
    expect(stub.requests).toHaveLength(1);
  });
});

describe("a service that can't be reached", () => {
  test("exit 8, certainly not done, and what to do", async () => {
    const env = { COMANDA_BASE_URL: `http://127.0.0.1:${await freePort()}`, ...credential };
    const words = ["orders", "dispatch", "7", "--json"];
    const { code, stdout, stderr } = await machine.inProcess(words, { env, clock: jumpingClock() });
    expect(code).toBe(8);
    expect(parseJson(stdout)).toMatchObject({ outcome: "failed", http_status: null });
    expect(parseJson(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: {
        exit_code: 8,
        code: "unreachable",
        http_status: null,
        message: expect.stringContaining("can't be reached") as string,
        hint: expect.stringContaining("whether the service is up") as string,
      },
    });
  });

  test("never follows a redirect, and takes the credential nowhere", async () => {
    const other = await startStub();
    try {
      for (const status of [302, 307]) {
        const redirect: Behaviour = { status, headers: { location: `${other.url}/elsewhere` } };
        expect((await ask(redirect, "orders dispatch 7")).code).toBe(9);
        expect(stub.requests).toHaveLength(1);
      }
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

test("a machine that can keep nothing warns of each thing once, and sends", async () => {
  stub.behave((response) => void response.writeHead(204).end());
  const file = path.join(machine.folder, "no-folder");
  writeFileSync(file, "", { mode: 0o600 });
  const env = { COMANDA_BASE_URL: stub.url, ...credential, COMANDA_CONFIG_DIR: path.join(file, "none") };
  const { code, stderr } = await machine.inProcess(["orders", "dispatch", "7"], {
    env,
    clock: jumpingClock(),
  });
  const warnings = stderr.trim().split("\n");
  expect({ code, warnings }).toEqual({ code: 0, warnings: [...new Set(warnings)] });
  expect(stderr).toContain("is in no journal");
});
