/** A machine that is signed in to two stores, and clients of its `comanda mcp`. */
import { afterAll, beforeEach, vi } from "vitest";

import { Bench } from "./bench.js";
import { McpClient, type Answer, type McpClientOptions } from "./mcp-client.js";

/** Allows changes in a client that can't ask. */
export const alone = { args: ["--allow-writes", "--without-asking"] } as const;

/** Opens the stores centro, which is the default, and norte. Most tests share a client of each kind, since a process takes half a second to start. */
export async function openMcpBench() {
  const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  await bench.signIn();
  await bench.signIn("norte", { store: 502 });
  await bench.inProcess("stores use centro");
  for (const store of ["centro", "norte"])
    await bench.inProcess(`stores set ${store} --tz America/Sao_Paulo`);

  const opened: McpClient[] = [];
  afterAll(() => Promise.all(opened.map((client) => client.close())));
  /** @param inProcess starts the server in this process, so that a test can replace its timers */
  const open = async (options?: McpClientOptions, inProcess = false) => {
    const client = await McpClient[inProcess ? "inProcess" : "open"](bench.machine, options);
    opened.push(client);
    return client;
  };
  /** What the user answers. */
  const answer = vi.fn<() => Answer | Promise<Answer>>();
  /** Opens a client that can ask, with these variables. */
  const openAsker = (env = {}, inProcess = false) =>
    open({ args: ["--allow-writes"], answer, env }, inProcess);
  const [reader, writer, asker] = await Promise.all([open(), open(alone), openAsker()]);
  beforeEach(() => {
    bench.emulator.service.faults.set([]);
    bench.forgetRequests();
    answer.mockReset().mockReturnValue("accept");
    asker.questions.length = 0;
  });
  return { bench, open, openAsker, answer, reader, writer, asker };
}
