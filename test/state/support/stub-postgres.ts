/** Runs a server that rejects every connection in PostgreSQL's protocol. */
import { once } from "node:events";
import { createServer } from "node:net";

import { onTestFinished } from "vitest";

/**
 * @param refusal the server's error code and message; `undefined` if it only rejects TLS
 * @returns its port
 */
export async function startStubPostgres(refusal?: readonly [code: string, words: string]): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return address.port;
}
