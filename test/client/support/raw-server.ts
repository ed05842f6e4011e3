/** A plain TCP server, for everything that an HTTP server wouldn't do. */
import { once } from "node:events";
import net from "node:net";

import { onTestFinished } from "vitest";

import { listening } from "../../support/resources.js";

/** `answer` is called once for each request head, with the number of earlier ones on its connection. */
export async function rawServer(answer: (socket: net.Socket, seen: number, head: string) => void) {
  /** Complete requests in their order, of all connections. */
  const requests: string[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let seen = 0;
    let buffered = "";
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      buffered += chunk.toString("latin1");
      for (;;) {
        const end = buffered.indexOf("\r\n\r\n");
        if (end === -1) return;
        const head = buffered.slice(0, end);
        const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
        if (buffered.length < end + 4 + length) return;
        requests.push(buffered.slice(0, end + 4 + length));
        buffered = buffered.slice(end + 4 + length);
        answer(socket, seen, head);
        seen += 1;
      }
    });
  });
  const port = await listening(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { port, url: `http://127.0.0.1:${port}`, requests, connections: () => connections };
}

/** A complete response with a length. */
export function httpAnswer(status: number, body = "", headers: Record<string, string> = {}): string {
  const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers });
  return `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}
