import { expect, test } from "vitest";

import { createProgram } from "../../src/cli/program.js";
import { endComandaOptions, refuseUnknownCommand } from "../../src/cli/command-words.js";
import { ComandaError } from "../../src/client/errors.js";
import { testContext } from "../support/context.js";

const words = (line: string) => line.split(" ").filter(Boolean);
const check = async (line: string) => {
  refuseUnknownCommand(await createProgram(testContext(), words(line)), words(line));
};

test.each([
  ["oders", 'There is no command "oders".', "Did you mean orders? comanda --help lists the commands."],
  ["oders --help", 'There is no command "oders".', "Did you mean orders?"],
  ["--help oders", 'There is no command "oders".', "Did you mean orders?"],
  ["--json oders -h", 'There is no command "oders".', "Did you mean orders?"],
  ["--store centro oders --help", 'There is no command "oders".', "Did you mean orders?"],
  ["--store=centro oders --help", 'There is no command "oders".', "Did you mean orders?"],
  ["-scentro oders --help", 'There is no command "oders".', "Did you mean orders?"],
  [
    "orders nosuch --help",
    'There is no command "orders nosuch".',
    "comanda orders --help lists the commands.",
  ],
  [
    "orders dispach 1 --help",
    'There is no command "orders dispach".',
    "Did you mean dispatch? comanda orders",
  ],
  ["--quiet orders --json dispach -h", 'There is no command "orders dispach".', "Did you mean dispatch?"],
  ["orders -s dispatch cancle --help", 'There is no command "orders cancle".', "Did you mean cancel?"],
  ["emulator strat --help", 'There is no command "emulator strat".', "Did you mean start?"],
  ["env lst -h", 'There is no command "env lst".', "Did you mean list?"],
  ["orders help", 'There is no command "orders help".', "comanda orders --help"],
  ["frobnicate --help", 'There is no command "frobnicate".', "comanda --help lists the commands."],
])("refuses %j with a next step", async (line, message, hint) => {
  const refusal = await check(line).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ComandaError);
  expect(refusal).toMatchObject({ code: "usage", message, hint: expect.stringContaining(hint) as string });
});

test.each([
  "",
  "--help",
  "--version",
  "orders",
  "orders --help",
  "orders dispatch nosuch --help",
  "orders dispatch 4711 --store oders",
  "--store oders status",
  "help oders",
  "api GET /oders",
  "emulator exec -- oders --help",
  "emulator exec oders --help",
  // commander refuses the option: what the next word is can't be known.
  "--storr x oders",
])("leaves %j to commander", async (line) => {
  await expect(check(line)).resolves.toBeUndefined();
});

test.each([
  ["emulator exec ls --json", "emulator exec -- ls --json"],
  ["emulator exec --seed 7 ls -l", "emulator exec --seed 7 -- ls -l"],
  ["--quiet emulator exec -- ls", "--quiet emulator exec -- ls"],
  ["orders dispatch 1 --json", "orders dispatch 1 --json"],
])("ends our own options: %j is %j", async (line, ended) => {
  expect(endComandaOptions(await createProgram(testContext(), words(line)), words(line))).toEqual(
    words(ended),
  );
});
