/** The API's description: printed by the built program, and served by the emulator. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { parseJson } from "../support/json.js";
import { Machine, type Running } from "../support/program.js";

const paths = (document: unknown) => z.parse(z.looseObject({ paths: z.unknown() }), document).paths;

describe("the API's description", () => {
  const machine = new Machine();
  let emulator: Running;
  let url = "";
  beforeAll(async () => {
    emulator = machine.start(["emulator", "start", "--port", "0", "--orders", "10", "--json"]);
    url = /"url":"([^"]+)"/.exec(await emulator.lineOn("stdout", /"url"/))?.[1] ?? "";
  });
  afterAll(async () => {
    emulator.child.kill();
    await emulator.finished;
    machine.remove();
  });

  test("is printed, with nothing stored and nothing else said", async () => {
    const { code, stdout, stderr } = await machine.run(["openapi"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(parseJson(stdout)).toMatchObject({ openapi: "3.1.1", info: { version: "1.0" } });
  });

  test("is served by the emulator with its own addresses", async () => {
    const answer = await fetch(`${url}/openapi.json`);
    const printed = parseJson((await machine.inProcess(["openapi"])).stdout);
    const served: unknown = await answer.json();
    expect(served).toMatchObject({ servers: [{ url }] });
    expect(paths(served)).toEqual(paths(printed));
  });

  test.each([["more"], ["--store", "x"], ["--dry-run"]])("refuses %s", async (...words) => {
    expect((await machine.inProcess(["openapi", ...words])).code).toBe(2);
  });
});
