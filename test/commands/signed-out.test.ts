/** What a store keeps that is signed out, and how all of them are. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { tokenFor } from "../support/desk.js";
import { parseJson } from "../support/json.js";
import { StoreDesk } from "../support/store-desk.js";

const settings = {
  time_zone: "America/Sao_Paulo",
  currency: "BRL",
  day_starts: "04:00",
  locale: "pt-BR",
};
let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
  // As an app that the emulator knows, so that it takes the revocation.
  const { emulator, desk } = store;
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
    ...session,
    environment: { ...session.environment, client_id: emulator.clientId },
  }));
  await store.comanda(
    "stores set centro --tz America/Sao_Paulo --currency BRL --day-starts 04:00 --locale pt-BR",
  );
  const { baseUrl } = emulator;
  await store.comanda(`env set test --base-url ${baseUrl} --auth-url ${baseUrl}/go --client-id test`);
});
afterEach(() => store.close());

const known = async () => parseJson((await store.comanda("stores list --json")).stdout);
const told = async () => parseJson((await store.comanda("stores set centro --locale pt-BR --json")).stdout);

test("a store keeps how its days are counted and its figures are shown, until it is removed", async () => {
  await store.comanda("logout");
  expect(await told()).toEqual({ store: "centro", ...settings });
  expect(await known()).toMatchObject([
    { environment: "test", default: true, time_zone: "America/Sao_Paulo" },
  ]);
  const gate = await store.comanda("status");
  expect([gate.code, gate.error?.hint]).toEqual([3, "Sign in: comanda login --store centro --env test"]);
  const call = await store.comanda("orders dispatch 1");
  expect([call.code, call.error?.code]).toEqual([3, "not_signed_in"]);
  // Its environment needn't be named again.
  await store.comanda("login --api-key --store centro", { input: store.keyOf(501) });
  expect(await known()).toMatchObject([{ environment: "test", has_api_key: true }]);
  expect(await told()).toEqual({ store: "centro", ...settings });
  await store.comanda("stores remove CENTRO");
  await store.comanda("login --api-key --store centro --env test", { input: store.keyOf(501) });
  expect(await known()).toMatchObject([{ time_zone: null }]);
});

test("logout --all signs out of every store", async () => {
  await store.desk.signIn("norte", store.emulator.baseUrl, "at");
  await store.comanda("logout --all");
  expect(await known()).toMatchObject([{ state: "signed_out" }, { state: "signed_out" }]);
  expect(await store.comanda("logout --all")).toMatchObject({
    code: 0,
    stderr: "No store is signed in.\n",
  });
});
