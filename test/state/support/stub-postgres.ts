/** Runs a server that rejects connections in PostgreSQL's protocol. */
import { connect, createServer } from "node:net";

import { closing, listening } from "../../support/resources.js";

/**
 * @param refusal the server's error code and message; `undefined` if it only rejects TLS
 * @param started a server that gets all connections after the first two
 * @returns its port
 */
export async function startStubPostgres(
  refusal?: readonly [code: string, words: string],
  started?: URL,
): Promise<number> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    connections += 1;
    if (started && connections > 2) {
      const real = connect(Number(started.port), started.hostname).on("error", () => socket.destroy());
      socket
        .on("close", () => real.destroy())
        .pipe(real)
        .pipe(socket);
      return;
    }
    socket.once("data", () => {
      if (refusal === undefined) socket.write("N");
      else {
        const body = Buffer.from(`SFATAL\0C${refusal[0]}\0M${refusal[1]}\0\0`);
        const length = Buffer.alloc(4);
        length.writeInt32BE(body.length + 4);
        socket.end(Buffer.concat([Buffer.from("E"), length, body]));
      }
    });
  });
  return listening(closing(server));
}
