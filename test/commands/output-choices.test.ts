import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Desk } from "../support/desk.js";

const desk = new Desk();
const folder = path.join(desk.folder, "out");
beforeAll(async () => {
  mkdirSync(folder);
  const set = "env set shop --base-url https://api.shop.example --auth-url https://auth.shop.example/go";
  expect((await desk.run(`${set} --client-id shop-app`)).code).toBe(0);
});
afterAll(() => desk.remove());

async function shown(line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await desk.run(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("--fields", () => {
  test("takes the columns of a table, and of CSV, in the order given", async () => {
    const list = ["env", "list", "--fields", "base_url,name"];
    expect(await shown(list)).toMatch(/^BASE URL +NAME\n/);
    const csv = await shown([...list, "--format", "csv"]);
    expect(csv.split("\r\n")[0]).toBe("base_url,name");
    expect(csv).toContain("https://api.shop.example,shop\r\n");
  });

  test("takes the members of each object in JSON", async () => {
    const list = parseJson(await shown(["env", "list", "--json", "--fields", "name"]));
    expect(list).toContainEqual({ name: "shop" });
  });

  test("says which there are where one isn't there, and goes on: what was done can't be undone", async () => {
    const { code, stdout, stderr } = await desk.run("env list --json --fields name,colour");
    expect(code).toBe(0);
    expect(parseJson(stdout)).toContainEqual({ name: "shop", colour: null });
    expect(stderr).toMatch(/^warning: --fields: there is no "colour"\. There are: name, base_url, .*\.\n$/);
    expect((await desk.run("env list --fields name,colour")).stderr).toBe(
      'warning: --fields: there is no "colour". There are: name, base_url, auth_url, client_id, redirect_uri.\n',
    );
  });

  test("of which the result has none ends with 2, after the work", async () => {
    for (const line of [
      "env list --fields colour",
      "env list --json --fields colour",
      "env list --format csv --fields x",
    ]) {
      expect((await desk.run(line)).error?.code, line).toBe("invalid_input");
    }
  });

  test("without a name is refused", async () => {
    expect((await desk.run("env list --fields name,")).code).toBe(2);
  });
});

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

describe("--format", () => {
  test("ndjson writes a line for each element", async () => {
    const lines = (await shown(["env", "list", "--format", "ndjson"])).trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines.map((line) => parseJson(line))).toContainEqual(expect.objectContaining({ name: "shop" }));
  });

  test("tsv writes values that tabs part, without quotes", async () => {
    const tsv = await shown(["env", "list", "--format", "tsv", "--fields", "name,client_id"]);
    expect(tsv.split("\n")[0]).toBe("name\tclient_id");
    expect(tsv).toContain("shop\tshop-app\n");
  });

  test("ndjson has errors as JSON too", async () => {
    const { stderr } = await desk.run(["orders", "dispatch", "1", "--json"]);
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 3 } });
  });
});

describe("--output", () => {
  const file = path.join(folder, "list.csv");

  test("writes a file in place of stdout, and nothing beside it", async () => {
    expect(await shown(["env", "list", "--format", "csv", "-o", file])).toBe("");
    expect(readFileSync(file, "utf8")).toContain("shop,https://api.shop.example");
    expect(readdirSync(folder)).toEqual(["list.csv"]);
  });

  test("that is - is stdout, and one without a name is refused", async () => {
    expect(await shown(["env", "list", "--jq", "length", "-o", "-"])).toBe("4\n");
    expect((await desk.run(["env", "list", "-o", ""])).code).toBe(2);
  });

  test("leaves a file alone where the command gave nothing", async () => {
    writeFileSync(file, "of yesterday");
    expect((await desk.run(["orders", "dispatch", "1", "--json", "-o", file])).code).toBe(3);
    expect(readFileSync(file, "utf8")).toBe("of yesterday");
  });

  test.each([
    ["a folder", folder],
    ["a place in no folder", path.join(folder, "none", "x")],
  ])("can't be %s: that is said before anything is done", async (_, place) => {
    const { code } = await desk.run(["env", "remove", "shop", "--json", "--output", place]);
    expect(code).toBe(2);
    expect(await shown(["env", "list", "--jq", "length"])).toBe("4\n");
    expect(existsSync(path.join(folder, "none"))).toBe(false);
  });

  test("is the same as a command's own -o, and given beside it is refused", async () => {
    const { code, stderr } = await desk.run(["report", "--out", file, "--output", file]);
    expect(code).toBe(2);
    expect(stderr).toContain("--out and --output are the same");
  });
});
