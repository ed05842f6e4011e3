/** Forwards connections to PostgreSQL, and closes one of them at a chosen message. */
import { connect, createServer, type Socket } from "node:net";

import { onTestFinished } from "vitest";

import { listening } from "../../support/resources.js";

export interface CuttingProxy {
  /** The database's address through the proxy. */
  readonly address: string;
  /** The number of messages from the program since the last `cutAt`. */
  readonly messages: number;
  /**
   * Closes the connection of the message with this number, counted from now on.
   *
   * @param when before the server receives the message, or before it responds
   */
  cutAt(number: number, when: "before" | "after"): void;
}

export async function startCuttingProxy(address: string): Promise<CuttingProxy> {
  const url = new URL(address);
  const [port, host] = [Number(url.port), url.hostname];
  let [messages, last] = [0, Infinity];
  let cut: "before" | "after" = "before";
  const open = new Set<Socket>();
  const server = createServer((program) => {
    const database = connect(port, host);
    for (const socket of [program, database]) {
      open.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(socket);
          program.destroy();
          database.destroy();
        });
    }
    let isCut = false;
    program.on("data", (data) => {
      messages += 1;
      isCut = messages === last;
      if (isCut && cut === "before") program.destroy();
      else database.write(data);
    });
    database.on("data", (data) => {
      if (isCut) program.destroy();
      else program.write(data);
    });
  });
  url.port = String(await listening(server));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    address: url.href,
    get messages() {
      return messages;
    },
    cutAt(number, when) {
      [messages, last, cut] = [0, number, when];
    },
  };
}
