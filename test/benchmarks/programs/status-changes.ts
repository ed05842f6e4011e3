/**
 * Makes status changes: status-changes URL bare|emulator ORDERS PID. Each of 16 connections has orders of its own,
 * which it dispatches, delivers and finalizes. As many changes go before and don't count, so that both servers have
 * compiled what is measured. Prints how many changes the server's process makes in a second of its processor time: on a
 * small machine the load generator is the slower of the two.
 */
import { readFileSync } from "node:fs";
import process from "node:process";

const [url = "", kind, orders = "0", pid = ""] = process.argv.slice(2);
const real = kind === "emulator";
const connections = 16;
const ticksASecond = 100;

/** A bare server has no orders to make; it gets the same requests. */
async function makeOrders(): Promise<number[]> {
  const ids: number[] = [];
  const order = { merchant_id: 501, order_type: "delivery", order_timing: "immediate", status: "confirmed" };
  const make = async () => {
    const answer = await fetch(`${url}/_emulator/orders`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...order, delivered_by: "merchant", driver_id: null, driver_fee: null }),
    });
    const text = await answer.text();
    return real ? (JSON.parse(text) as { id: number }).id : 0;
  };
  while (ids.length < Number(orders))
    ids.push(...(await Promise.all(Array.from({ length: 50 }, async () => make()))));
  return ids;
}

async function apiKey(): Promise<string> {
  const answer = await fetch(`${url}/_emulator/stores`);
  const { stores } = (await answer.json()) as { stores: { id: number; api_key: string }[] };
  return stores.find(({ id }) => id === 501)?.api_key ?? "";
}

/** Of the server's process, from proc(5). */
function processorSeconds(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[14 - 3]) + Number(fields[15 - 3])) / ticksASecond;
}

/** @returns how many changes were made */
async function changeAll(ids: readonly number[], key: string): Promise<number> {
  const each = Math.floor(ids.length / connections);
  const changeInTurn = async (own: readonly number[]) => {
    for (const id of own) {
      for (const verb of ["dispatch", "delivered", "finalize"]) {
        const answer = await fetch(`${url}/api/partner/v1/orders/${id}/${verb}`, {
          method: "POST",
          headers: { "x-api-key": key },
        });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`a change was refused: ${answer.status}`);
      }
    }
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      changeInTurn(ids.slice(index * each, (index + 1) * each)),
    ),
  );
  return each * connections * 3;
}

async function main(): Promise<void> {
  const key = real ? await apiKey() : "bench";
  await changeAll(await makeOrders(), key);
  const ids = await makeOrders();
  const before = processorSeconds();
  const changes = await changeAll(ids, key);
  console.log(changes / (processorSeconds() - before));
}

void main();
