/** Forwards ports of this computer into a separate network namespace through Unix sockets. */
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/** @param ends the port and file of each tunnel, for {@link openTunnel} */
export function tunnelVariable(ends: ReadonlyMap<number, string>): string {
  return [...ends].map(([port, file]) => `${port}=${file}`).join();
}

/** Creates a file outside the namespace that forwards to the port. */
export function startTunnel(port: number, file: string): Promise<Server> {
  return forward(file, { host: "127.0.0.1", port });
}

/** Opens the ports inside the namespace, which forward to the files. */
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
