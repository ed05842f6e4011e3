/** What the service didn't say is told as unknown, by the built program: no other body than an empty one, no redirect, no page. */
import { afterAll, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

const machine = new Machine();
afterAll(() => machine.remove());

const exec = (fault: string, ...command: string[]) =>
  machine.run(["emulator", "exec", "--fault", fault, "--", ...command]);
const linesOf = (text: string) => text.trim().split("\n").map(parseJson);

describe("a change of an order is unknown", () => {
  test.concurrent.each([
    ['status=200,path=/dispatch,body={"error":"locked"},content_type=application/json', 200],
    ["redirect=https://elsewhere.example/,path=/dispatch,when=after", 302],
    ["html=404,path=/dispatch,when=after", 404],
  ])("after %s", async (fault, status) => {
    const { code, stdout } = await exec(fault, "comanda", "orders", "dispatch", "4711", "--json");
    expect(parseJson(stdout)).toMatchObject({
      outcome: "unknown",
      http_status: status,
      code: "outcome_unknown",
      evidence: "gateway",
    });
    expect(code).toBe(9);
  });

  test("of a list too, and stays so in what is left of it", async () => {
    const finalize = "comanda orders finalize 4711 4712 --json";
    const script = `${finalize}; echo $?; ${finalize} --resume; echo $?`;
    const { stdout } = await exec("html=404,path=/finalize,times=1,when=after", "sh", "-c", script);
    const unknown = { order_id: expect.stringMatching(/^471[12]$/) as string, outcome: "unknown" };
    const lines = linesOf(stdout);
    expect(lines.slice(0, 3)).toEqual(expect.arrayContaining([expect.objectContaining(unknown), 10]));
    const resumed = expect.objectContaining({ ...unknown, resumed: true }) as object;
    expect(lines.slice(3)).toEqual(expect.arrayContaining([resumed, 10]));
  });
});
