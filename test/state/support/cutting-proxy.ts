/** Stands between a program and PostgreSQL, and cuts a connection when its time has come. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface CuttingProxy {
  /** The address by way of the proxy. */
  readonly address: string;
  /** Messages that came from the program since it was last told. */
  readonly messages: number;
  /**
   * Cuts the connection over which the message of that number comes, counted from now on.
   *
   * @param when before the server has it, or after that, before it answers
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const own = server.address();
  if (own === null || typeof own === "string") throw new TypeError("no port");
  url.port = String(own.port);
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
