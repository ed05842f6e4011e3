/** `comanda emulator` runs the whole service on this machine. */
import type { Command } from "../../cli/command.js";
import type { Column } from "../../cli/column.js";
import { describedReadings, type DescribedReading } from "../../emulator/readings.js";
import { translated } from "../../languages/language.js";

import { exec } from "./exec.js";
import { start } from "./start.js";

export function emulator(command: Command): void {
  start(command.command("start"));
  exec(command.command("exec"));
  command
    .command("readings")
    .about(
      "list what the specification leaves open, as switches of the emulator",
      "A service may differ from the emulator in each of them and still keep to the specification. The first value is " +
        "the emulator's own. `emulator start` and `emulator exec` take others with --reading; `emulator exec --matrix` " +
        "tries a command under all of them.",
    )
    .takes("format")
    .examples("emulator readings", "emulator readings --json")
    .does(({ output }) => output.records(columns, describedReadings));
}

const columns: readonly Column<DescribedReading>[] = [
  { heading: "Reading", name: "name", cell: ({ name }) => name },
  { heading: "Section", name: "section", cell: ({ section }) => section },
  { heading: "Values", name: "values", cell: ({ values }) => values.join(", ") },
  { heading: "What it is about", name: "text", cell: ({ text }) => translated(text) },
];
