/** Machines of a chain: each a process, where that may be in namespaces of its own, with the host name that it has there. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { soak } from "../../support/soak.js";
import { temporaryFolder } from "./folder.js";
import { nodeEnvironment } from "./programs.js";
import { startTunnel, tunnelVariable } from "./tunnel.js";

export interface Network {
  /** Have the machines namespaces of their own? Else their host names alone are their own. */
  readonly isSeparate: boolean;
  /** @param words the program and what it is given; the host's name is added where the machine has none */
  start(host: string, words: readonly string[]): StartedMachine;
  close(): void;
}

export interface StartedMachine {
  /** As `kill -9` does. */
  kill(): void;
  /** Resolves with what it said. */
  readonly ended: Promise<string>;
}

/** What is put before a command that has processes, a network and a host name of its own: what runs in it ends with it. */
function separateMachine(host: string): readonly string[] {
  const begin = `ip link set lo up && hostname ${host} && exec "$0" "$@"`;
  return [
    ...["unshare", "--net", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child"],
    ...["sh", "-c", begin],
  ];
}

/** @param addresses what the machines reach on this one */
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
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      return { kill: () => void child.kill("SIGKILL"), ended: once(child, "close").then(() => said) };
    },
    close() {
      for (const tunnel of tunnels) tunnel.close();
    },
  };
}
