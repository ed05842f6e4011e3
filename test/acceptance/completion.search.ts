/** Completion by the Tab key in each shell, on a machine with session files whose names contain shell syntax. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { shellWord } from "../../src/state/private-file.js";
import { Bench } from "../support/bench.js";
import { comandaCommand } from "../support/program.js";
import { shellAtTerminal, terminalAvailable, type Step } from "../support/terminal.js";

const hostile = ["$(touch planted)", "`touch planted`", "a b", "it's", 'a"b', "x;y", "n\nl", "\u001b[2J"];
const bench = await Bench.open();
await bench.signIn();
const sessions = path.join(bench.machine.configFolder, "sessions");
for (const name of hostile) {
  writeFileSync(path.join(sessions, `s-${name}.json`), "{}");
  writeFileSync(path.join(sessions, `s-${encodeURIComponent(name).toLowerCase()}.json`), "{}");
}
const bin = path.join(bench.machine.folder, "bin");
mkdirSync(bin);
const command = comandaCommand.map(shellWord).join(" ");
writeFileSync(path.join(bin, "comanda"), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });

/** The typed keys, and the text that appears. If Tab only lists names, it is pressed twice. */
const typed: readonly (readonly [keys: string, shown: string])[] = [
  ["comanda stores use c\t", "entro"],
  ["comanda orders dis\t", "patch"],
  ["comanda summary --filter status=deliv\t", "ered"],
  ["comanda summary --filter 'order_ty\t", "pe"],
  ["comanda summary --period yest\t", "erday"],
  ["comanda login --env sand\t", "box"],
  ["comanda stores use \t\t", "entro"],
  ["comanda prefill ord\t", "er\\.yaml"],
  ["comanda api POST /x --input ord\t", "er\\.yaml"],
  // A command or an order isn't completed to a file name.
  ["comanda ord\t", "ers"],
  ["comanda orders dispatch not\t", "not"],
  ["comanda not\t", "not"],
];

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

const zshSetup = "fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit";
/** How each shell loads the script. */
const shells = [
  { shell: "bash", start: "bash --rcfile .bashrc -i", file: "comanda.bash", setup: "source ~/comanda.bash" },
  { shell: "zsh", start: "zsh -i", file: ".zfunc/_comanda", setup: zshSetup },
  { shell: "fish", start: "fish -i", file: ".config/fish/completions/comanda.fish", setup: "" },
] as const;

describe.each(shells)("$shell", ({ shell, start, file, setup }) => {
  const home = () => path.join(bench.machine.folder, shell);
  const env = () => ({ HOME: home(), PATH: `${bin}:/usr/bin:/bin` });

  beforeAll(async () => {
    const { stdout } = await bench.machine.run(["completion", shell]);
    mkdirSync(path.dirname(path.join(home(), file)), { recursive: true });
    writeFileSync(path.join(home(), file), stdout);
    for (const name of ["order.yaml", "nothing-meant.txt"]) writeFileSync(path.join(home(), name), "");
    writeFileSync(path.join(home(), `.${shell}rc`), `PS1='> '\n${setup}\n`);
  });

  test.skipIf(!terminalAvailable || !has(shell))(
    "completes words and runs no name as a command",
    async () => {
      // Only the first line is run; the others are cleared.
      const [first, ...others] = typed;
      const steps: Step[] = [
        [".", first?.[0] ?? ""],
        [first?.[1] ?? "", "\r"],
        ...others.flatMap(([keys, shown], index): Step[] => [
          [index === 0 ? "centro" : ".", keys],
          [shown, "\u0015"],
        ]),
        [".", "exit\r"],
      ];
      const options = { steps, env: env(), columns: 200 };
      const { code, stdout } = await shellAtTerminal(bench.machine, `cd "$HOME"; exec ${start}`, options);
      expect(code, stdout).toBe(0);
      expect(existsSync(path.join(home(), "planted"))).toBe(false);
      expect(stdout).not.toContain("\u001b[2J\u001b[2J");
      expect(stdout).not.toContain("nothing-meant");
    },
  );
});
