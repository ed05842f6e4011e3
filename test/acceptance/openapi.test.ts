/** The API's description, printed by the built program. */
import { afterAll, describe, expect, test } from "vitest";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

describe("the API's description", () => {
  const machine = new Machine();
  afterAll(() => machine.remove());

  test("is printed, with nothing stored and nothing else said", async () => {
    const { code, stdout, stderr } = await machine.run(["openapi"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(parseJson(stdout)).toMatchObject({ openapi: "3.1.1", info: { version: "1.0" } });
  });

  test.each([["more"], ["--store", "x"], ["--dry-run"]])("refuses %s", async (...words) => {
    expect((await machine.inProcess(["openapi", ...words])).code).toBe(2);
  });
});
