/**
 * Ports of this machine in a network namespace of its own, from which no other network can be seen: by way of sockets that
 * are files.
 */
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/** @param ends port and file of each, as {@link openTunnel} takes them */
export function tunnelVariable(ends: ReadonlyMap<number, string>): string {
  return [...ends].map(([port, file]) => `${port}=${file}`).join();
}

/** Outside: makes the file, behind which is the port. */
export function startTunnel(port: number, file: string): Promise<Server> {
  return forward(file, { host: "127.0.0.1", port });
}

/** Inside: makes the ports, behind which are the files. */
export async function openTunnel(variable: string | undefined): Promise<void> {
  for (const end of (variable ?? "").split(",").filter(Boolean)) {
    const [port, path = ""] = end.split("=");
    const server = await forward({ host: "127.0.0.1", port: Number(port) }, { path });
    server.unref();
  }
}

async function forward(
  from: string | { readonly host: string; readonly port: number },
  to: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => undefined).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  if (typeof from === "string") server.listen(from);
  else server.listen(from.port, from.host);
  await once(server, "listening");
  return server;
}
