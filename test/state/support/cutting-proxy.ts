/** Forwards connections to PostgreSQL, and closes one of them at a chosen message. */
import { connect, createServer } from "node:net";

import { closing, listening } from "../../support/resources.js";

export async function startCuttingProxy(address: string) {
  const url = new URL(address);
  const [port, host] = [Number(url.port), url.hostname];
  const proxy = {
    address: "",
    /** The number of messages from the program. */
    messages: 0,
    /** The message whose connection is closed, before the server receives it or before it responds. */
    last: Infinity,
    when: "before" as "before" | "after",
  };
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
      proxy.messages += 1;
      isCut = proxy.messages === proxy.last;
      if (isCut && proxy.when === "before") program.destroy();
      else database.write(data);
    });
    database.on("data", (data) => {
      if (isCut) program.destroy();
      else program.write(data);
    });
  });
  url.port = String(await listening(closing(server)));
  return Object.assign(proxy, { address: url.href });
}
