import { describe, expect, test } from "vitest";

import { app, codeChallenge, codeVerifier, otherApp } from "../oauth/fixture.js";
import { createPortalApp, createVisitor } from "./fixture.js";

async function start(personId: string) {
  const portal = createPortalApp();
  const visitor = createVisitor(portal.root);
  await visitor.signIn(personId);
  const install = (storeId: number, clientId = app.clientId) => {
    const redirectUri = "http://127.0.0.1:8765/callback";
    const personOf = storeId === 3 ? "kenji" : "ana";
    const code = portal.server.issueCode({
      clientId,
      redirectUri,
      codeChallenge,
      storeId,
      personId: personOf,
    });
    return portal.server.exchangeCode({ clientId, redirectUri, code, codeVerifier }).access_token;
  };
  return { ...portal, ...visitor, install };
}

describe("the integrations section", () => {
  test("asks to sign in first", async () => {
    const visitor = createVisitor(createPortalApp().root);
    const answer = await visitor.get("/portal/integrations");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/portal/login"]);
  });

  test.each(["bruno", "nobody"])("is not for %s", async (personId) => {
    const { get, send } = await start(personId);
    expect((await get("/portal/integrations")).status).toBe(403);
    const body = new URLSearchParams({ store_id: "1" });
    const key = await send("/portal/integrations/key", { method: "POST", body });
    expect(key.status).toBe(403);
    expect(await key.text()).not.toContain("key-of-store");
  });

  test("hides the keys until one is asked for, and shows that one alone", async () => {
    const { get, post } = await start("ana");
    expect(await (await get("/portal/integrations")).text()).not.toContain("key-of-store");
    const shown = await (
      await post("/portal/integrations/key", { store_id: "2" }, "/portal/integrations")
    ).text();
    expect(shown).toContain("key-of-store-2");
    expect(shown).not.toContain("key-of-store-1");
    expect(await (await get("/portal/integrations")).text()).not.toContain("key-of-store");
  });

  test("shows no key of a store of someone else", async () => {
    const { post } = await start("ana");
    const answer = await post("/portal/integrations/key", { store_id: "3" }, "/portal/integrations");
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain("key-of-store");
  });

  test("lists the installed apps and uninstalls one, with its tokens", async () => {
    const { get, post, install, server } = await start("ana");
    const [one, other, elsewhere] = [install(1), install(1, otherApp.clientId), install(3)];
    const page = await (await get("/portal/integrations")).text();
    expect(page).toContain("Comanda");
    expect(page).toContain("Relatórios");

    const fields = { store_id: "1", client_id: app.clientId };
    const answer = await post("/portal/integrations/uninstall", fields, "/portal/integrations");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/portal/integrations"]);
    expect(server.authenticate(one)).toBeUndefined();
    expect(server.authenticate(other)).toBeDefined();
    expect(server.authenticate(elsewhere)).toBeDefined();
    const after = await (await get("/portal/integrations")).text();
    expect(after).not.toContain("Uninstall Comanda");
    expect(after).toContain("Uninstall Relatórios");
  });

  test("uninstalls nothing of someone else", async () => {
    const { post, install, server } = await start("ana");
    const token = install(3);
    const fields = { store_id: "3", client_id: app.clientId };
    expect((await post("/portal/integrations/uninstall", fields, "/portal/integrations")).status).toBe(403);
    expect(server.authenticate(token)).toBeDefined();
  });
});

test("signs out to the front page, which offers to sign in", async () => {
  const { get, post } = await start("ana");
  expect(await (await get("/portal")).text()).toContain("Ana Souza");
  const answer = await post("/portal/logout", {}, "/portal");
  expect(answer.headers.get("location")).toBe("/portal");
  const page = await (await get("/portal")).text();
  expect(page).not.toContain("Ana Souza");
  expect(page).toContain('href="/portal/login"');
});
