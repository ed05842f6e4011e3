/**
 * Sends status changes: status-changes URL bare|emulator ORDERS PID. The same number is sent first without being counted, so that
 * both servers have compiled the measured code. Prints the changes per second of the server's CPU time, because on a small machine
 * the load generator is slower than the server.
 */
import { readFileSync } from "node:fs";

const [url = "", kind, count, pid = ""] = process.argv.slice(2);
const connections = 16;

async function call(path: string, headers: Record<string, string>, body?: string): Promise<string> {
  const answer = await fetch(url + path, { method: "POST", headers, ...(body && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was refused: ${answer.status}`);
  return text;
}

/** Creates the orders. A bare server has none, but gets the same requests. */
async function makeOrders(): Promise<number[]> {
  const order = { merchant_id: 501, order_type: "delivery", order_timing: "immediate", status: "confirmed" };
  const body = JSON.stringify({ ...order, delivered_by: "merchant", driver_id: null, driver_fee: null });
  const json = { "content-type": "application/json" };
  const ids: number[] = [];
  while (ids.length < Number(count)) {
    const made = await Promise.all(Array.from({ length: 50 }, () => call("/_emulator/orders", json, body)));
    ids.push(...made.map((text) => (kind === "emulator" ? (JSON.parse(text) as { id: number }).id : 0)));
  }
  return ids;
}

async function changeAll(ids: readonly number[], key: string): Promise<void> {
  const changeInTurn = async (_: unknown, connection: number) => {
    for (let at = connection; at < ids.length; at += connections)
      for (const verb of ["dispatch", "delivered", "finalize"])
        await call(`/api/partner/v1/orders/${String(ids[at])}/${verb}`, { "x-api-key": key });
  };
  await Promise.all(Array.from({ length: connections }, changeInTurn));
}

/** Reads the user and system time of the server's process from proc(5), which counts hundredths of seconds. */
function processorSeconds(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[14 - 3]) + Number(fields[15 - 3])) / 100;
}

async function main() {
  let key = "bench";
  if (kind === "emulator") {
    const answer = await fetch(`${url}/_emulator/stores`);
    const { stores } = (await answer.json()) as { stores: { id: number; api_key: string }[] };
    key = stores.find(({ id }) => id === 501)?.api_key ?? key;
  }
  await changeAll(await makeOrders(), key);
  const ids = await makeOrders();
  const before = processorSeconds();
  await changeAll(ids, key);
  console.log((3 * ids.length) / (processorSeconds() - before));
}

void main();
