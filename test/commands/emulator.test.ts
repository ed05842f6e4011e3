import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import * as z from "zod";

import { exec, type ExecOptions } from "../../src/commands/emulator/exec.js";
import { start, type StartOptions } from "../../src/commands/emulator/start.js";
import { Exit } from "../../src/toolkit/command.js";
import { ComandaError } from "../../src/client/errors.js";
import { parseJson } from "../support/json.js";
import { openMachine, runToFailure } from "../support/machine.js";
import { parse } from "../support/parse.js";

const seed = {
  scene: "mixed" as const,
  orders: 2000,
  seed: 1,
  faults: [],
  readings: {},
  stores: undefined,
  limits: true,
};
const usual: StartOptions = { ...seed, port: 4100, host: undefined };

const isCentroThere =
  "fetch(process.env.COMANDA_EMULATOR_URL + '/_emulator/stores').then((answer) => answer.json())" +
  ".then(({ stores }) => { process.exitCode = stores[0].name === 'Centro' ? 0 : 9; })";

describe("parse", () => {
  test.each<[string, string[], Partial<StartOptions>]>([
    ["nothing", [], {}],
    [
      "port, orders and seed",
      ["--port", "0", "--orders", "5", "--seed", "7"],
      { port: 0, orders: 5, seed: 7 },
    ],
    ["the busy restaurant", ["--scene", "busy"], { scene: "busy" }],
    ["no limits", ["--no-limits"], { limits: false }],
    [
      "readings",
      ["--reading", "conflict_status=422", "--reading", "challenge=true"],
      { readings: { conflict_status: 422, challenge: true } },
    ],
    ["readings by chance", ["--reading", "random"], { readings: "random" }],
    [
      "faults",
      ["--fault", "status=503,path=/dispatch,times=2", "--fault", "hang"],
      {
        faults: [{ status: 503, path: "/dispatch", times: 2 }, { hang: true }],
      },
    ],
  ])("emulator start takes %s", async (_, words, options) => {
    await expect(parse(start, ...words)).resolves.toEqual({ ...usual, ...options });
  });

  test.each([
    ["a port that is none", ["--port", "65536"], '--port can\'t be "65536"'],
    ["half an order", ["--orders", "0.5"], '--orders can\'t be "0.5"'],
    ["a scene that nobody knows", ["--scene", "calm"], "Allowed choices are mixed, busy"],
    [
      "a number of orders for the restaurant",
      ["--scene", "busy", "--orders", "5"],
      "has its own number of orders",
    ],
    [
      "a fault that nobody knows",
      ["--fault", "explode"],
      '--fault: The fault "explode" can\'t have "explode"',
    ],
    [
      "a value that a reading can't have",
      ["--reading", "conflict_status=500"],
      "can be 409, 400, 403, 404, 422, not 500",
    ],
    ["a reading that nobody knows", ["--reading", "conflict=422"], 'Did you mean "conflict_status"?'],
    ["an argument", ["now"], "too many arguments"],
  ])("emulator start refuses %s", async (_, words, message) => {
    await expect(parse(start, ...words)).rejects.toThrow(message);
  });

  test("the lines of the examples for Compose and CI are right", async () => {
    const example = (name: string): unknown =>
      parseYaml(readFileSync(path.join(import.meta.dirname, "../../examples", name), "utf8"));
    const { services } = z
      .object({ services: z.object({ emulator: z.object({ command: z.array(z.string()) }) }) })
      .parse(example("emulator-compose.yaml"));
    const [, , ...words] = services.emulator.command;
    await expect(parse(start, ...words)).resolves.toEqual({
      ...usual,
      ...{ host: "0.0.0.0", orders: 200, limits: false },
    });
    const { jobs } = z
      .object({
        jobs: z.object({ emulator: z.object({ steps: z.array(z.object({ run: z.optional(z.string()) })) }) }),
      })
      .parse(example("emulator-ci.yaml"));
    const lines = jobs.emulator.steps.flatMap(
      ({ run }) => /^npx comanda emulator exec (.+)$/.exec(run ?? "")?.[1] ?? [],
    );
    expect(lines).toHaveLength(2);
    for (const line of lines)
      await expect(parse(exec, ...line.split(" "))).resolves.toMatchObject({ words: ["npm", "test"] });
  });

  test("emulator exec takes another program's command line", async () => {
    const words = ["sh", "-c", "exit 3"];
    const single = { ...seed, matrix: false };
    await expect(parse(exec, "--seed", "7", "--", ...words)).resolves.toEqual({ ...single, seed: 7, words });
    const matrix = { ...seed, words: ["true"], matrix: true };
    await expect(parse(exec, "--matrix", "true")).resolves.toEqual(matrix);
    await expect(parse(exec, "")).rejects.toThrow("The command has no name");
  });
});

test.each([start, exec])("the help names each kind of a fault", async ({ description }) => {
  const kinds = "status reset hang delay truncate garbage not_http html empty redirect oversize rate_limit";
  for (const kind of kinds.split(" ")) {
    expect(description.description).toContain(kind);
    const value = { redirect: "=/x", delay: "=5", status: "=503", oversize: "=9" }[kind] ?? "";
    await expect(parse(start, "--fault", `${kind}${value}`)).resolves.toMatchObject({
      faults: [{ [kind]: expect.anything() as unknown }],
    });
  }
});

describe("run", () => {
  test("emulator start runs until it is interrupted, and says where", async () => {
    const stop = new AbortController();
    const test = await openMachine({ format: "json", context: { signal: stop.signal } });
    const ended = runToFailure(start, test, { ...usual, port: 0, orders: 3 });
    while (!test.stdout.text.endsWith("\n")) await new Promise((resolve) => setImmediate(resolve));
    const told = parseJson(test.stdout.text) as { readonly url: string };
    expect(told).toMatchObject({ orders: 3, seed: 1, client_id: "comanda-local" });
    expect((await fetch(`${told.url}/_emulator/orders`)).status).toBe(200);
    stop.abort(new ComandaError("interrupted", "Interrupted."));
    expect((await ended).error.code).toBe("interrupted");
    await expect(fetch(told.url)).rejects.toThrow();
  });

  test("emulator start --host lets others in, and drives with the token alone that it tells on stderr", async () => {
    const stop = new AbortController();
    const test = await openMachine({ format: "json", context: { signal: stop.signal } });
    const ended = runToFailure(start, test, { ...usual, host: "127.0.0.1", port: 0, orders: 1 });
    while (!test.stdout.text.endsWith("\n")) await new Promise((resolve) => setImmediate(resolve));
    const { url } = parseJson(test.stdout.text) as { readonly url: string };
    const token = /token: (\S{32})\n/.exec(test.stderr.text)?.[1] ?? "none";
    const statusOf = (path: string, headers: Record<string, string>) =>
      new Promise((resolve) => {
        get(url + path, { headers: { host: "emulator:4100", ...headers } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
      });
    expect(await statusOf("/", {})).toBe(404);
    expect(await statusOf("/api/partner/v1/orders/summary", {})).toBe(401);
    expect(await statusOf("/_emulator/stores", {})).toBe(401);
    expect(await statusOf("/_emulator/stores", { authorization: "Bearer sixteen-letters" })).toBe(401);
    expect(await statusOf("/_emulator/stores", { authorization: `Bearer ${token}` })).toBe(200);
    stop.abort(new ComandaError("interrupted", "Interrupted."));
    await ended;
    expect(test.stdout.text).not.toContain(token);
  });

  test("emulator start says which port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const { error } = await runToFailure(start, await openMachine(), { ...usual, port, orders: 1 });
    taken.close();
    expect(error).toMatchObject({ code: "configuration", message: `Port ${port} is in use.` });
  });

  test("emulator exec ends with the command's own exit code", async () => {
    const { machine } = await openMachine({ context: { env: { PATH: process.env["PATH"] } } });
    const options: ExecOptions = {
      ...seed,
      matrix: false,
      orders: 1,
      words: ["sh", "-c", 'test "$COMANDA_STORE" = demo && exit 7'],
    };
    await expect(exec.run(machine, options)).rejects.toEqual(new Exit(7));
  });

  test("emulator exec takes the stores of a file, and says what is wrong with one", async () => {
    const { machine } = await openMachine({ context: { env: { PATH: process.env["PATH"] } } });
    const folder = mkdtempSync(path.join(tmpdir(), "stores-"));
    const stores = path.join(folder, "stores.json");
    const options: ExecOptions = {
      ...seed,
      matrix: false,
      orders: 1,
      stores,
      words: [process.execPath, "-e", isCentroThere],
    };
    writeFileSync(stores, '[{ "id": 7, "name": "Centro" }]');
    await expect(exec.run(machine, options)).rejects.toEqual(new Exit(0));
    writeFileSync(stores, '[{ "id": 7, "nome": "Centro" }]');
    await expect(exec.run(machine, options)).rejects.toThrow('has no field "nome". Did you mean "name"?');
    rmSync(folder, { recursive: true });
  });
});
