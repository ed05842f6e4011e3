/** Containers as far as processes can tell: a pid namespace of its own, in which nobody outside can be looked at. */
import { spawnSync } from "node:child_process";

/** What is put before a command; what runs in it ends with it. */
export const container = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] as const;

/** One that has a network and a host name of its own too. */
export function separateMachine(host: string): readonly string[] {
  const begin = `ip link set lo up && hostname ${host} && exec "$0" "$@"`;
  return [container[0], "--net", "--uts", ...container.slice(1), "sh", "-c", begin];
}

/** Tests with containers skip where none may be made. */
export const containersAvailable =
  process.platform === "linux" && spawnSync(container[0], [...container.slice(1), "true"]).status === 0;

/** May such machines be made? */
export function machinesAvailable(): boolean {
  const [command = "", ...words] = separateMachine("machine");
  return process.platform === "linux" && spawnSync(command, [...words, "true"]).status === 0;
}
