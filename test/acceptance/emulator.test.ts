import { createServer, type Server } from "node:http";

import * as z from "zod/mini";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startEmulator } from "../../src/emulator/index.js";
import { freePort } from "../support/free-port.js";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.remove());

const startedSchema = z.object({
  url: z.string(),
  base_url: z.string(),
  auth_url: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  orders: z.int(),
  seed: z.int(),
});
const start = async (...args: string[]) => {
  const running = machine.start(["emulator", "start", "--json", ...args]);
  const first = await running.lineOn("stdout", /^\{/);
  return { running, ...z.parse(startedSchema, parseJson(first)) };
};
const ordersOf = async (url: string) =>
  z.parse(
    z.object({ total: z.int(), orders: z.array(z.looseObject({ id: z.int(), total: z.number() })) }),
    await (await fetch(`${url}/_emulator/orders?limit=200`)).json(),
  );

/** The totals of an emulator's orders in this process. */
const totalsOf = async (seed: number) => {
  const emulator = await startEmulator({ orders: 120, seed });
  const { orders } = await ordersOf(emulator.url);
  await emulator.close();
  return orders.map(({ total }) => total);
};

describe("emulator start", () => {
  test("listens on the port that is asked for, with the orders and the seed that are asked for, until SIGTERM", async () => {
    const port = await freePort();
    const { running, ...started } = await start("--port", String(port), "--orders", "120", "--seed", "7");
    expect(started).toMatchObject({ url: `http://127.0.0.1:${port}`, orders: 120, seed: 7 });
    const { total, orders } = await ordersOf(started.url);
    expect(total).toBe(120);
    const totals = orders.map((order) => order.total);
    expect(await totalsOf(7)).toEqual(totals);
    expect(await totalsOf(8)).not.toEqual(totals);
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.finished;
    expect(code).toBe(143);
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 143, code: "terminated" } });
    await expect(fetch(started.url)).rejects.toThrow();
  });

  test("refuses a port that is in use", async () => {
    const other: Server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : "");
    const { code, stdout, stderr } = await machine.inProcess(["emulator", "start", "--port", port]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^error: Port ${port} is in use\\.\n {2}.*--port 0`));
    await new Promise((resolve) => other.close(resolve));
  });
});
