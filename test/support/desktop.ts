/** Stands for a desktop: it notes what it is asked to open. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Machine } from "./program.js";

export interface Desktop {
  /** With these variables a program finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** The addresses so far; empty where nothing was opened. */
  opened(): string[];
  /** Resolves when there is one. */
  firstOpened(): Promise<string>;
}

export function desktopOf(machine: Machine): Desktop {
  const bin = path.join(machine.folder, "desktop");
  const file = path.join(bin, "opened");
  mkdirSync(bin);
  const script = path.join(bin, "xdg-open");
  writeFileSync(script, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${file}'\n`);
  chmodSync(script, 0o755);
  const opened = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return {
    env: { PATH: `${bin}:${machine.env["PATH"] ?? ""}`, DISPLAY: ":99" },
    opened,
    firstOpened: async () => {
      for (let tries = 0; tries < 1_000; tries += 1) {
        const [first] = opened();
        if (first !== undefined) return first;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error("nothing was opened");
    },
  };
}
