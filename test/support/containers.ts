/** Containers as far as processes can tell: a pid namespace of its own, in which nobody outside can be looked at. */
import { spawnSync } from "node:child_process";

/** What is put before a command; what runs in it ends with it. */
export const container = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] as const;

/** Tests with containers skip where none may be made. */
export const containersAvailable =
  process.platform === "linux" && spawnSync(container[0], [...container.slice(1), "true"]).status === 0;
