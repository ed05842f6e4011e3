/** `comanda version`: what a bug report needs. */
import type { Command } from "./command.js";

interface Version {
  readonly version: string;
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
  run({ context: { version: own, host } }) {
    const system = [host.platform, host.arch].filter(Boolean).join(" ");
    return Promise.resolve({ version: own, node: host.version ?? "", system });
  },
  present(result, output) {
    if (output.json) output.value(result);
    else output.line(`comanda ${result.version}, Node ${result.node}, ${result.system}`);
  },
};
