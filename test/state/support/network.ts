/** Starts the machines of a chain as processes, in separate namespaces with different host names if possible. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { soak } from "../../support/soak.js";
import { temporaryFolder } from "./folder.js";
import { nodeEnvironment } from "./programs.js";
import { startTunnel, tunnelVariable } from "./tunnel.js";

export interface Network {
  /** Whether the machines have separate namespaces, and not only different host names. */
  readonly isSeparate: boolean;
  /** @param words the program and its arguments; the host name is added without separate namespaces */
  start(host: string, words: readonly string[]): StartedMachine;
  close(): void;
}

export interface StartedMachine {
  kill(): void;
  /** Resolves with the output. */
  readonly ended: Promise<string>;
}

/** Returns the words that start a command with a separate process table, network and host name. */
function separateMachine(host: string): readonly string[] {
  const begin = `ip link set lo up && hostname ${host} && exec "$0" "$@"`;
  return [
    ...["unshare", "--net", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child"],
    ...["sh", "-c", begin],
  ];
}

/** @param addresses the addresses on this computer that the machines can reach */
export async function openNetwork(addresses: readonly string[]): Promise<Network> {
  const isSeparate = soak && spawnSync("env", [...separateMachine("machine"), "true"]).status === 0;
  const folder = temporaryFolder();
  const ports = isSeparate ? addresses.map((address) => Number(new URL(address).port)) : [];
  const ends = new Map(ports.map((port) => [port, path.join(folder, String(port))]));
  const tunnels = await Promise.all([...ends].map(([port, file]) => startTunnel(port, file)));
  return {
    isSeparate,
    start(host, words) {
      const parts = isSeparate
        ? [...separateMachine(host), process.execPath, ...words]
        : [process.execPath, ...words, host];
      const [command = "", ...parameters] = parts;
      const child = spawn(command, parameters, {
        env: { ...nodeEnvironment, TUNNEL: tunnelVariable(ends) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      return { kill: () => void child.kill("SIGKILL"), ended: once(child, "close").then(() => output) };
    },
    close() {
      for (const tunnel of tunnels) tunnel.close();
    },
  };
}
