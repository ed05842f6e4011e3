/** Runs a server that rejects connections in PostgreSQL's protocol. */
import { connect, createServer } from "node:net";

import { closing, listening } from "../../support/resources.js";

/**
 * @param refusal the server's error code and message; `undefined` if it only rejects TLS
 * @param started a server that gets all connections after the first two
 * @param requiresPassword whether it rejects a client only after it has sent the first message with a password (SCRAM)
 * @returns its port
 */
export async function startStubPostgres(
  refusal?: readonly [code: string, words: string],
  started?: URL,
  requiresPassword = false,
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
      if (refusal === undefined) {
        socket.write("N");
        return;
      }
      const end = () => socket.end(message("E", `SFATAL\0C${refusal[0]}\0M${refusal[1]}\0\0`));
      if (!requiresPassword) end();
      else {
        socket.write(message("R", "\0\0\0\nSCRAM-SHA-256\0\0"));
        socket.once("data", end);
      }
    });
  });
  return listening(closing(server));
}

function message(type: string, text: string): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
