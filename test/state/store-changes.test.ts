/** A store is renamed or removed in steps that may each be done twice: the same again finishes what a kill has cut off. */
import { expect, test } from "vitest";

import { renameInHistory, readHistory, openJournal } from "../../src/state/journal.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";

const kept = { time_zone: "America/Sao_Paulo", currency: "BRL" };

/** @returns a folder with a store that has sent something */
async function folderWithStore(): Promise<string> {
  const folder = temporaryFolder();
  const state = openState(folder);
  await state.sessions.update("centro", () => Promise.resolve(session("centro")));
  await state.settings.update((current) => ({
    ...current,
    default_store: "centro",
    stores: { centro: kept },
  }));
  const journal = openJournal({
    state,
    place: { store: "centro", environment: "local" },
    fingerprint: () => ({ address: "https://api.example", sign_in: "x" }),
  });
  const path = "/api/partner/v1/orders/1/dispatch";
  const call = {
    number: 1,
    operation: "dispatchOrder",
    order: "1",
    method: "POST" as const,
    path,
    url: path,
    body: "",
  };
  await journal.observer.sends?.(call, { attempt: 1, credential: "bearer" });
  return folder;
}

async function sentAt(folder: string, store: string): Promise<number> {
  let count = 0;
  for await (const page of readHistory(openState(folder), { store })) count += page.length;
  return count;
}

test("a rename that was cut off before the sign-in followed is finished by the same command", async () => {
  const folder = await folderWithStore();
  // What a process has done that was killed then.
  const killed = openState(folder);
  await killed.settings.update((current) => ({
    ...current,
    stores: { ...current.stores, norte: { ...kept, former_aliases: ["centro"] } },
  }));
  await renameInHistory(killed, "centro", "norte");
  const state = openState(folder);
  expect((await state.sessions.read("centro"))?.store).toBe("centro");
  expect((await state.settings.read()).stores?.["centro"]).toEqual(kept);
  await state.renameStore("centro", "norte");
  expect((await state.sessions.list()).map(({ store }) => store)).toEqual(["norte"]);
  expect(await state.settings.read()).toMatchObject({
    default_store: "norte",
    stores: { norte: { ...kept, former_aliases: ["centro"] } },
  });
  expect((await state.settings.read()).stores).not.toHaveProperty("centro");
  expect([await sentAt(folder, "norte"), await sentAt(folder, "centro")]).toEqual([1, 0]);
});

test("a removal that was cut off before the sign-in went is finished by the same command", async () => {
  const folder = await folderWithStore();
  await openState(folder).settings.update(({ environments }) => ({ environments, stores: {} }));
  const state = openState(folder);
  expect(await state.removeStore("centro")).toBe(true);
  expect(await state.sessions.list()).toEqual([]);
  expect(await state.removeStore("centro")).toBe(false);
});

test("a store keeps all that it had where its new name is taken", async () => {
  const folder = await folderWithStore();
  const state = openState(folder);
  await state.sessions.update("norte", () => Promise.resolve(session("norte")));
  await rejection("invalid_input", () => state.renameStore("centro", "Norte"));
  expect((await state.settings.read()).stores).toEqual({ centro: kept });
  expect(await sentAt(folder, "centro")).toBe(1);
});
