import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Desk } from "../support/desk.js";

const desk = new Desk();
beforeAll(async () => {
  const set = "env set shop --base-url https://api.shop.example --auth-url https://auth.shop.example/go";
  expect((await desk.run(`${set} --client-id shop-app`)).code).toBe(0);
});
afterAll(() => desk.remove());

async function shown(line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await desk.run(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("--jq", () => {
  test("gives texts as they are, and everything else as JSON", async () => {
    expect(await shown(["env", "list", "--jq", '.[] | select(.name == "shop") | .base_url'])).toBe(
      "https://api.shop.example\n",
    );
    expect(await shown(["env", "list", "--jq", "length"])).toBe("4\n");
  });

  test("shows no control character of a text but tabs and line ends", async () => {
    const expression = '"a\\u001b[2J\\tb\\nc\\rd"';
    expect(await shown(["env", "list", "--jq", expression])).toBe("a\\x1b[2J\tb\nc\\rd\n");
  });

  test("is refused before the command does anything where it is no expression", async () => {
    const { code, error } = await desk.run(["env", "remove", "shop", "--jq", ".["]);
    expect({ code, kind: error?.code }).toEqual({ code: 2, kind: "usage" });
    expect(await shown(["env", "list", "--jq", "length"])).toBe("4\n");
  });

  test("that fails ends with 2, after the command has done its work", async () => {
    const { code, error, stdout } = await desk.run([
      "env",
      "list",
      "--jq",
      ".[0].name | ltrimstr(1) | ltrimstr(.)|error",
    ]);
    expect({ code, kind: error?.code, stdout }).toEqual({ code: 2, kind: "invalid_input", stdout: "" });
  });

  test("goes with JSON alone", async () => {
    expect((await desk.run("env list --jq length --format csv")).code).toBe(2);
    expect((await desk.run("env list --jq length --json")).stdout).toBe("4\n");
  });
});

test("--json has errors as JSON too", async () => {
  const { stderr } = await desk.run(["orders", "dispatch", "1", "--json"]);
  expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 3 } });
});
