/** The scripts in the shells that they are for, with the names of stores that this machine knows, hostile ones among them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
  const sessions = path.join(bench.machine.configFolder, "sessions");
  mkdirSync(sessions, { recursive: true });
  for (const name of ["$(touch planted)", "a b", "\u001b[2J"])
    writeFileSync(path.join(sessions, `s-${name}.json`), "{}");
});
afterAll(() => bench.close());

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** Runs a shell with comanda on its path. @returns its lines */
async function inShell(shell: string, script: string): Promise<string[]> {
  const bin = path.join(bench.machine.folder, "bin");
  if (!existsSync(bin)) {
    mkdirSync(bin);
    const program = path.resolve(import.meta.dirname, "../../bin/comanda.js");
    writeFileSync(path.join(bin, "comanda"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    });
  }
  const { code, stdout, stderr } = await bench.machine.other([shell, "-c", script], {
    env: { PATH: `${bin}:/usr/bin:/bin` },
  }).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  const complete = (...words: string[]) =>
    inShell(
      "bash",
      `source <(comanda completion bash); COMP_WORDS=(comanda ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _comanda; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  test("completes commands, and the names of stores alone that no shell acts upon", async () => {
    expect(await complete("orders", "d")).toEqual(["dispatch", "deliver"]);
    expect(await complete("orders", "dispatch", "1", "--store", "")).toEqual(["centro"]);
    expect(existsSync(path.join(bench.machine.folder, "planted"))).toBe(false);
  });

  test("asks the program for runs and drivers, of whom none is known here", async () => {
    expect(await complete("driver", "assign", "1", "")).toEqual([]);
    const { code, stdout, stderr } = await bench.machine.run([
      "complete",
      "bash",
      "driver",
      "assign",
      "1",
      "",
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("replaces what stands behind its own word breaks", async () => {
    expect(await complete("summary", "--store", "=", "ce")).toEqual(["centro"]);
    expect(await complete("summary", "--filter", "sales_channel", "=", "x")).toEqual([]);
  });
});

describe.skipIf(!has("zsh"))("zsh", () => {
  test("describes each command and store", async () => {
    const script = `compdef() { :; }; _describe() { print -rl -- "\${(@P)2}"; }; _files() { :; }
      source <(comanda completion zsh); words=(comanda stores use ''); CURRENT=4; _comanda`;
    expect(await inShell("zsh", script)).toEqual(["centro:"]);
  });
});

describe.skipIf(!has("fish"))("fish", () => {
  test("offers a command with what it is for", async () => {
    const script = "comanda completion fish | source; complete -C 'comanda stores u'";
    expect((await inShell("fish", script)).map((line) => line.split("\t")[0])).toEqual(["use", "unprotect"]);
  });
});

test("completion install writes the script where the shell looks, and says where", async () => {
  const home = path.join(bench.machine.folder, "home");
  mkdirSync(home);
  const { code, stdout } = await bench.machine.run(["completion", "install", "fish"], {
    env: { HOME: home },
  });
  const file = path.join(home, ".config/fish/completions/comanda.fish");
  expect({ code, says: stdout.includes(file) }).toEqual({ code: 0, says: true });
  expect(readFileSync(file, "utf8")).toContain("complete -c comanda");
});
