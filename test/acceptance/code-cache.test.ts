/** The compiled code that is kept between runs makes calls faster, and is never needed. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Machine } from "../support/program.js";

let machine: Machine;
const root = () => path.join(machine.configFolder, "code-cache");
const folder = () => path.join(root(), readdirSync(root())[0] ?? "");
const files = () => readdirSync(folder()).map((name) => path.join(folder(), name));
const run = () => machine.run(["env", "list", "--json"]);

beforeEach(() => {
  machine = new Machine();
});
afterEach(() => {
  machine.remove();
});

it("is not begun by a look around", async () => {
  await run();
  expect(existsSync(machine.configFolder)).toBe(false);
});

describe("once there is a configuration folder", () => {
  beforeEach(async () => {
    mkdirSync(machine.configFolder, { mode: 0o700 });
    await run();
  });

  it("is private, and the same run after it leaves it as it is", async () => {
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = files().map((file) => [file, statSync(file).mtimeMs]);
    expect(before.length).toBeGreaterThan(0);
    expect((await run()).code).toBe(0);
    expect(files().map((file) => [file, statSync(file).mtimeMs])).toEqual(before);
  });

  it("is made anew where it is damaged", async () => {
    for (const file of files()) writeFileSync(file, "not compiled code");
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    for (const file of files()) expect(readFileSync(file).toString("latin1")).not.toContain("not compiled");
  });

  it("is neither read nor written where others could change it", async () => {
    for (const file of files()) writeFileSync(file, "not compiled code");
    chmodSync(folder(), 0o777);
    expect((await run()).code).toBe(0);
    for (const file of files()) expect(readFileSync(file, "utf8")).toBe("not compiled code");
  });

  it("gives way to the one of another build", async () => {
    for (const file of files()) writeFileSync(file, "not compiled code");
    mkdirSync(path.join(root(), "another-build"));
    await run();
    expect(existsSync(path.join(root(), "another-build"))).toBe(false);
  });
});
