/** The command lines that a text names, held against the tree of commands. */
import type { Command, Option } from "commander";

import { nearest } from "../../../src/api/basics.js";

/** The commands and options that a text names and the tree lacks. */
export function lacking(text: string, program: Command): readonly string[] {
  return [...text.matchAll(/(?<![\w./@-]|generic )comanda ((?:(?!comanda )[^\s"“”`;(){}]+ ?)+)/g)].flatMap(
    (match) => {
      const [line, rest = ""] = match;
      const isTyped = /(?:^ {2,}|[`("]|\$ |: )$/m.test(text.slice(0, match.index));
      return faultsOf(program, rest.trim().split(" "), isTyped).map((fault) => `${line.trim()}: ${fault}`);
    },
  );
}

export function allBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}

/** A title, and what the shells call at each Tab. */
const prose = /^(?:in|on|em|complete)$/;

/** @param isTyped says the place that it is a command line; else `comanda` may be the one that does something. */
function faultsOf(program: Command, words: readonly string[], isTyped: boolean): readonly string[] {
  let command = program;
  let isPlace = true;
  const faults: string[] = [];
  for (const word of words) {
    const bare = word.replace(/[.,:]+$/, "");
    if (["|", "&&", "--", "#"].includes(bare)) break;
    if (bare.startsWith("--")) {
      if (command === program && !isTyped) break;
      isPlace = false;
      const flag = bare.replace(/=.*$/, "");
      if (!optionsOf(command).some(({ long }) => long === flag)) faults.push(`no option ${flag}`);
    } else if (isPlace && /^[a-z]+(?:-[a-z]+)*$/.test(bare)) {
      const names = command.commands.map((member) => member.name());
      const member = command.commands[names.indexOf(bare)];
      if (member) command = member;
      else {
        isPlace = false;
        const isProse = prose.test(bare) || !(isTyped || nearest(bare, names) !== undefined);
        if (command === program && !isProse) faults.push(`no command ${bare}`);
      }
    } else isPlace = false;
    if (bare !== word) break;
  }
  return faults;
}

function optionsOf(command: Command): readonly Pick<Option, "long">[] {
  const above = command.parent ? optionsOf(command.parent) : [];
  return [...command.options, ...above, { long: "--help" }];
}
