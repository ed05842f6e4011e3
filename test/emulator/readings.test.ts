/** Checks that every answer under every reading matches the OpenAPI document, and that each reading changes an answer. */
import { expect, test } from "vitest";

import { openApiDocument } from "../../src/api/openapi.js";
import { dimensions } from "../../src/api/values.js";
import { deviations } from "../../src/emulator/readings.js";
import { localClientId, localRedirectUri } from "../../src/emulator/seed/cast.js";
import { inSearch, rowsInSearch } from "../support/soak.js";
import { createValidator, type Exchange } from "../support/openapi-validator.js";
import { bearer, createTestEmulator, sending, someStore } from "./support.js";

const api = "/api/partner/v1/orders";

/** Returns all exchanges, and the answers without secrets. */
async function transcript(readings: Readonly<Record<string, string | number | boolean>>) {
  const emulator = createTestEmulator({ orders: 60, readings });
  const { server, limiter, world } = emulator.service;
  const exchanges: Exchange[] = [];
  const answers: unknown[] = [];
  const headers = { ...bearer(emulator.accessToken()) };
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await emulator.request(path, init);
    const shown = ["content-type", "retry-after", "www-authenticate"].map((name) => answer.headers.get(name));
    const text = await answer.text();
    const body = text.replaceAll(/\b(?:at|rt|code)_[\w-]{40,}|prefilled\/\w+|"id":"\w+"|menu\/[^"]+/g, "…");
    answers.push([answer.status, shown, body]);
    const { method = "GET" } = init;
    const sent = typeof init.body === "string" ? init.body : "";
    const given = Object.fromEntries(new Headers(init.headers));
    exchanges.push({ method, path, headers: given, body: sent, status: answer.status, answer: text });
    return text;
  };
  const post = (path: string, body?: unknown, more = {}) =>
    ask(`${api}/${path}`, {
      ...(body === undefined ? { method: "POST" } : sending("POST", body)),
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }), ...more },
    });
  const put = (id: number, body: unknown, more = {}) =>
    ask(`${api}/${id}/driver`, sending("PUT", body, { ...headers, ...more }));

  // Each change, twice, of orders in each status.
  for (const status of ["waiting_confirmation", "confirmed", "ready", "released"] as const) {
    for (const change of ["dispatch", "delivered", "finalize", "cancel"]) {
      const { id } = await emulator.order({ status, delivered_by: "merchant" });
      await post(`${id}/${change}`);
      await post(`${id}/${change}`);
      await put(id, { driver_id: 11 });
    }
  }
  const option = { external_code: null, quantity: 1, option_group_id: 1, option_group_name: "g" };
  const [item] = (await emulator.order()).items;
  const rich = await emulator.order({
    status: "confirmed",
    delivered_by: "merchant",
    driver_fee: 5,
    items: [
      {
        ...(item ?? expect.unreachable()),
        options: [
          { ...option, option_id: 1, name: "a", unit_price: 1 },
          { ...option, option_id: 2, name: "b", total_price: 1 },
        ],
      },
    ],
    payments: [{ change_for: 50 }, { change_of: 20 }],
  });
  await put(rich.id, { driver_id: 11 });
  await put(rich.id, { driver_id: "x" });
  await put(1, { driver_id: "x" });
  await post("none/dispatch");
  await post(`${rich.id}/dispatch`, { a: 1 });
  await post(`${rich.id}/dispatch`, undefined, { authorization: "Bearer unknown" });
  const both = { authorization: "Bearer unknown", "x-api-key": emulator.apiKey() };
  await post(`${rich.id}/finalize`, undefined, both);
  await put(rich.id, { driver_id: 11 }, bearer(emulator.accessToken(someStore, "painel-de-vendas")));
  await post("prefilled_order", { order_type: "takeout" }, { "x-api-key": emulator.apiKey() });
  const paid = world.orders.find((await emulator.order()).id) ?? expect.unreachable();
  Object.assign(paid, { paidOnlineByCreditCard: true, paymentMethodIds: [1, 2] });
  await post(`${paid.id}/cancel`);
  answers.push(paid.status);

  await emulator.order({ created_at: "2026-11-15T15:00:00-03:00" });
  // Figures that include a Sunday, and an average that needs rounding.
  limiter.enabled = false;
  const period = (from: string, to: string) => `start_date=${from}&end_date=${to}`;
  for (const search of [
    period("2026-06-01T00:00:00Z", "2026-11-20T18:00:00Z"),
    period("2026-11-20T17:00:00Z", "2026-11-20T17:59:59Z"),
    period("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
    period("2023-11-20T10:00:00Z", "2023-11-21T00:00:00Z"),
    period("2026-11-25T00:00:00Z", "2026-11-26T00:00:00Z"),
    period("2026-05-15T00:00:00-04:00", "2026-11-15T00:00:00-05:00"),
    period("2026-05-15T00:00:00-03:00", "2026-11-15T00:00:00-03:00"),
    "start_date=2026-11-19",
  ])
    await ask(`${api}/summary?${search}`, { headers });
  for (const dimension of dimensions)
    await ask(
      `${api}/summary/grouped?${period("2026-06-01T00:00:00Z", "2026-11-20T18:00:00Z")}&group_by=${dimension}`,
      { headers },
    );
  const lisbon = bearer(emulator.accessToken(503));
  const halfYear = period("2026-03-15T00:00:00-03:00", "2026-09-15T00:00:00-03:00");
  await ask(`${api}/summary?${halfYear}`, { headers: lisbon });
  limiter.enabled = true;
  for (let call = 0; call < 8; call += 1) {
    emulator.advance(call === 6 ? 25 : 3);
    await ask(`${api}/summary?${period("2026-11-20T17:00:00Z", "2026-11-20T18:00:00Z")}`, { headers });
  }

  const form = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: localClientId, ...fields }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const text = await ask(`/api/partner/oauth/${path}`, { method: "POST", body, headers: type });
    return text === "" ? {} : (JSON.parse(text) as { access_token?: string; refresh_token?: string });
  };
  const consent = { clientId: localClientId, redirectUri: localRedirectUri, storeId: someStore };
  const grant = (code: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: localRedirectUri,
    code_verifier: "v".repeat(43),
  });
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("v".repeat(43)));
  const issue = () =>
    server.issueCode({ ...consent, codeChallenge: Buffer.from(challenge).toString("base64url") });
  const recordValidity = (token = "") => answers.push(server.authenticate(token) !== undefined);
  const code = issue();
  const first = await form("token", grant(code));
  await form("token", grant(code));
  recordValidity(first.access_token);
  const second = await form("token", grant(issue()));
  const refresh = (token = "") => form("token", { grant_type: "refresh_token", refresh_token: token });
  const third = await refresh(second.refresh_token);
  answers.push(third.refresh_token === second.refresh_token);
  recordValidity(second.access_token);
  await refresh(second.refresh_token);
  recordValidity(third.access_token);
  const fourth = await form("token", grant(issue()));
  await form("revoke", { token: fourth.access_token ?? "" });
  await refresh(fourth.refresh_token);
  await form("revoke", { token: "rt_unknown" });
  await form("revoke", { token: "x", client_id: "nobody" });
  const old = issue();
  emulator.advance(45);
  await form("token", grant(old));
  const older = issue();
  emulator.advance(90);
  await form("token", grant(older));
  for (const days of [2, 40]) {
    const last = await form("token", grant(issue()));
    emulator.advance(days * 86_400);
    await refresh(last.refresh_token);
  }
  return { exchanges, answers };
}

const validate = createValidator(openApiDocument());
const usual = transcript({});

test("the document describes each answer under the default readings", async () => {
  const { exchanges } = await usual;
  expect(exchanges.length).toBeGreaterThan(100);
  expect(exchanges.flatMap(validate)).toEqual([]);
});

inSearch("the answers are the same each time", async () => {
  expect((await transcript({})).answers).toEqual((await usual).answers);
});

test.each(rowsInSearch(deviations))(
  "the reading $reading changes answers if it is $value, and the document describes them",
  async ({ reading, value }) => {
    const { exchanges, answers } = await transcript({ [reading]: value });
    expect(exchanges.flatMap(validate)).toEqual([]);
    expect(answers).not.toEqual((await usual).answers);
  },
);
