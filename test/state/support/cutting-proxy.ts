/** Forwards connections to PostgreSQL, and closes one of them at a chosen message. */
import { connect, createServer } from "node:net";

import { closing, listening } from "../../support/resources.js";

export async function startCuttingProxy(address: string) {
  const url = new URL(address);
  const [port, host] = [Number(url.port), url.hostname];
  let [messages, last] = [0, Infinity];
  let cut: "before" | "after" = "before";
  const server = createServer((program) => {
    const database = connect(port, host);
    for (const socket of [program, database]) {
      socket
        .on("error", () => undefined)
        .on("close", () => {
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
  url.port = String(await listening(closing(server)));
  return {
    address: url.href,
    /** The number of messages from the program since the last `cutAt`. */
    get messages() {
      return messages;
    },
    /**
     * Closes the connection of the message with this number, counted from now on.
     *
     * @param when before the server receives the message, or before it responds
     */
    cutAt(number: number, when: "before" | "after") {
      [messages, last, cut] = [0, number, when];
    },
  };
}
