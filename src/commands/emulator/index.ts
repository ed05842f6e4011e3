/** `comanda emulator` runs the whole service on this machine. */
import { describedReadings, type DescribedReading } from "../../emulator/readings.js";
import { translated } from "../../languages/language.js";
import type { Column } from "../../cli/column.js";
import type { Command, CommandGroup } from "../../toolkit/command.js";

import { exec } from "./exec.js";
import { start } from "./start.js";

const readings: Command<Record<string, never>, readonly DescribedReading[]> = {
  description: {
    usage: "readings",
    summary: "list what the specification leaves open, as switches of the emulator",
    description:
      "A service may differ from the emulator in each of them and still keep to the specification. The first value is " +
      "the emulator's own. `emulator start` and `emulator exec` take others with --reading; `emulator exec --matrix` " +
      "tries a command under all of them.",
    takes: ["format"],
    examples: ["emulator readings", "emulator readings --json"],
  },
  parse: () => ({}),
  run: () => Promise.resolve(describedReadings),
  present: (list, output) => output.records(columns, list),
};

const columns: readonly Column<DescribedReading>[] = [
  { heading: "Reading", name: "name", cell: ({ name }) => name },
  { heading: "Section", name: "section", cell: ({ section }) => section },
  { heading: "Values", name: "values", cell: ({ values }) => values.join(", ") },
  { heading: "What it is about", name: "text", cell: ({ text }) => translated(text) },
];

export const emulator: CommandGroup = {
  name: "emulator",
  summary: "the whole service on this machine, to try things on",
  members: [start, exec, readings],
};
