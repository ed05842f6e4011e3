/** `fileSession` with the sign-ins of this machine. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { createClient } from "../../src/library/index.js";
import { startEmulator } from "../../src/library/emulator.js";
import { fileSession } from "../../src/library/node.js";
import { readHistory } from "../../src/state/journal.js";
import { openFolder } from "../../src/state/state.js";
import { period } from "../client/support/scripted.js";
import { sessionsIn, signIn } from "./support/signed-in.js";
import { matching } from "../support/output.js";
import { closing, temporaryFolder } from "../support/resources.js";
let folder = "";
const emulator = closing(await startEmulator({ orders: 5 }));
beforeEach(() => {
  folder = temporaryFolder();
});

test("signs the calls of a client, and saves a refreshed token once for many calls", async () => {
  await signIn(emulator, folder, "centro", { expires_at: Date.now() });
  const session = await fileSession({ folder, env: {} });
  expect(session).toMatchObject({ store: "centro", environment: "local" });
  expect(session.clientOptions.baseUrl).toBe(emulator.baseUrl);
  const client = createClient(session.clientOptions);
  const ids = Array.from({ length: 5 }, () => emulator.createOrder({ status: "confirmed" }).id);
  await Promise.all(ids.map(async (id) => client.finalizeOrder(String(id))));
  expect(await sessionsIn(folder).read("centro")).toMatchObject({ tokens: { generation: 2 } });
  const refreshes = emulator.received().filter(({ path: each }) => each.endsWith("/token"));
  expect(refreshes).toHaveLength(1);
});

test("refreshes a token that another process has refreshed and the service rejects, too", async () => {
  await signIn(emulator, folder, "centro");
  const write = (access_token: string, generation: number) =>
    sessionsIn(folder).update("centro", (session) => {
      if (!session?.tokens) throw new Error("it was stored");
      return Promise.resolve({ ...session, tokens: { ...session.tokens, access_token, generation } });
    });
  await write("refused", 1);
  const { clientOptions } = await fileSession({ folder, env: {} });
  await write("refused-of-another", 2);
  const client = createClient({ ...clientOptions, rateLimiter: false });
  const { id } = emulator.createOrder({ status: "confirmed" });
  const before = emulator.received().length;
  await client.finalizeOrder(String(id));
  const sent = emulator.received().slice(before);
  const verbs = sent.map(({ path: each }) => each.split("/").at(-1));
  expect(verbs).toEqual(["finalize", "finalize", "token", "finalize"]);
  expect(await sessionsIn(folder).read("centro")).toMatchObject({ tokens: { generation: 3 } });
});

test("sends nothing more after a new sign-in, which may be to another store", async () => {
  await signIn(emulator, folder, "centro", { access_token: "refused" });
  const client = createClient((await fileSession({ folder, env: {} })).clientOptions);
  await signIn(emulator, folder, "centro");
  await sessionsIn(folder).update("centro", (session) =>
    Promise.resolve(session && { ...session, signed_in_at: Date.now() }),
  );
  const { id } = emulator.createOrder({ status: "confirmed" });
  const before = emulator.received().length;
  for (const call of [client.finalizeOrder(String(id)), client.summary(period)])
    await expect(call).rejects.toMatchObject({
      code: "not_signed_in",
      message: "Someone has signed in to centro again.",
      hint: matching(/^Nothing more was sent, .*\nTo use the new sign-in, call fileSession again\.$/),
    });
  expect(emulator.received().slice(before)).toMatchObject([{ status: 401 }, { status: 401 }]);
});

test("prefers the option store to COMANDA_STORE, and requires one of them if there are several stores", async () => {
  await signIn(emulator, folder, "a");
  await signIn(emulator, folder, "b");
  expect((await fileSession({ folder, store: "a", env: { COMANDA_STORE: "b" } })).store).toBe("a");
  expect((await fileSession({ env: { COMANDA_STORE: "b", COMANDA_CONFIG_DIR: folder } })).store).toBe("b");
  await expect(fileSession({ folder, env: {} })).rejects.toMatchObject({ code: "usage" });
  await expect(fileSession({ folder, store: "c", env: {} })).rejects.toMatchObject({
    code: "invalid_input",
    message: 'There is no store "c" on this machine.',
    hint: "Stores on this machine: a, b.",
  });
});

test("records the writes of a program in the journal before they return", async () => {
  await signIn(emulator, folder, "centro");
  const history = async () => readHistory(openFolder({ folder, clock: systemClock }), {});
  const { clientOptions } = await fileSession({ folder, env: {} });
  const client = createClient({ ...clientOptions, rateLimiter: false });
  const id = String(emulator.createOrder({ status: "confirmed" }).id);
  await client.cancelOrder(id, { cancellation_reason: "Out of flour" });
  expect(await history()).toMatchObject([
    {
      ...{ operation: "cancelOrder", order_id: id, outcome: "done", http_status: 204, attempts: 1 },
      ...{ store: "centro", environment: "local", arguments: { reason: "Out of flour" } },
    },
  ]);
  await client.summary(period);
  // The first call of another client of the session has another row.
  const again = createClient(clientOptions).cancelOrder(id);
  await expect(again).rejects.toMatchObject({ code: "status_conflict" });
  expect((await history()).map(({ outcome }) => outcome)).toEqual(["refused", "done"]);
});

test("reports that no store is signed in, and creates nothing", async () => {
  const nowhere = path.join(folder, "new");
  await expect(fileSession({ folder: nowhere, env: {} })).rejects.toMatchObject({ code: "not_signed_in" });
  expect({ exists: existsSync(nowhere), files: readdirSync(folder) }).toEqual({ exists: false, files: [] });
});
