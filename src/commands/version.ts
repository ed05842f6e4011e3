/** `comanda version`: what a bug report needs. */
import type { Command } from "../toolkit/command.js";

interface Version {
  readonly version: string;
  /** `executable` where Node and comanda are one file. */
  readonly build: "executable" | "package";
  readonly node: string;
  readonly system: string;
}

export const version: Command<Record<string, never>, Version> = {
  description: {
    usage: "version",
    summary: "the version of comanda, of Node and of the system, for a bug report",
    examples: ["version", "version --json"],
  },
  parse: () => ({}),
  run({ context: { version: installed, host, self } }) {
    const system = [host.platform, host.arch].filter(Boolean).join(" ");
    const build = self.length === 1 ? "executable" : "package";
    return Promise.resolve({ version: installed, build, node: host.version ?? "", system });
  },
  present(result, output) {
    if (output.json) output.value(result);
    else {
      const build = result.build === "executable" ? " (executable)" : "";
      output.line(`comanda ${result.version}${build}, Node ${result.node}, ${result.system}`);
    }
  },
};
