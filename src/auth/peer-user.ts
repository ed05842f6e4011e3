/** Whose the other end of a loopback connection is, where the kernel tells (Linux: proc_pid_net(5), `tcp` and `tcp6`). */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Another user of this machine reads the authorization URL, with its state, in `/proc`, and could deliver a code of
 * their own store first. Root may look into everything anyway, and a browser may be of the user who called sudo.
 *
 * @returns false too where the kernel doesn't tell
 */
export function isOfAnotherUser({ remotePort, localPort }: Socket): boolean {
  const allowed = [process.getuid?.(), 0, Number(process.env["SUDO_UID"] ?? 0)];
  const lines = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap(linesOf);
  const portOf = (address = "") => Number.parseInt(address.split(":")[1] ?? "", 16);
  const ends = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => portOf(local) === remotePort && portOf(remote) === localPort);
  // A socket that its program has closed has no inode, and is said to be root's whoever opened it.
  const isAllowed = ends.every(({ 7: user, 9: inode }) => inode !== "0" && allowed.includes(Number(user)));
  return lines.length > 0 && !(ends.length > 0 && isAllowed);
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "latin1").trim().split("\n").slice(1);
  } catch {
    return [];
  }
}
