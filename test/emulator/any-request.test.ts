/** Sends the emulator bodies of any length and framing, and any method, path and Host. */
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { errorSchemas } from "../../src/api/responses.js";
import { startEmulator } from "../../src/emulator/index.js";
import { answerOf, createTestEmulator, send } from "./support.js";
import { closing } from "../support/resources.js";

/** Error object of section 7. A refusal that the section doesn't define has no code. */
const refusalSchema = z.partial(errorSchemas().error, { code: true });

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const tooLong = "x".repeat(2 * 1_048_576);

describe("the emulator", async () => {
  const emulator = closing(await startEmulator({ orders: 3, rateLimits: false, ownsProcess: true }));
  const apiKey = { "x-api-key": emulator.world.stores.get(501)?.apiKey ?? "" };
  afterAll(() => {
    expect(emulator.service.log.entries().filter(({ cause }) => cause !== null)).toEqual([]);
  });

  test.each([false, true])("refuses a body of 2 MiB with 413 (chunked: %s)", async (chunked) => {
    const post = async (path: string, headers: Record<string, string>) =>
      send(emulator.url + path, "POST", { body: tooLong, chunked, headers });
    const prefilled = await post("/api/partner/v1/orders/prefilled_order", { ...json, ...apiKey });
    expect(prefilled).toMatchObject({ status: 413, body: '{"message":"Body too large"}' });
    for (const path of ["/api/partner/oauth/token", "/portal/authorize"])
      expect((await post(path, form)).status, path).toBe(413);
  });

  const paths = [
    ...["/", "//", "/%", "/nope", "/api", "/portal/authorize/", "/portal/authorize?client_id=%zz"],
    ...["/menu/501/prefilled/none", "/menu/%ff/prefilled/%zz", "/_emulator", "/_emulator/orders/%zz"],
    ...["/api/partner/oauth/token", "/api/partner/v1/orders/summary?%zz=%ff&filters[", "/api/partner/v1"],
    ...["1", "abc", "0", "1%2F2", "%ff", "%zz", "-1", "1e3", "9".repeat(400), "%00", ""].flatMap((id) => [
      `/api/partner/v1/orders/${id}/dispatch`,
      `/api/partner/v1/orders/${id}/driver`,
    ]),
  ];
  const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PROPFIND"];

  test.each(methods)("answers %s on any path as section 7 shows, never with a 5xx", async (method) => {
    for (const path of paths) {
      const outcome = await send(emulator.url + path, method, { headers: apiKey });
      const { status = 0, headers = {}, body = "" } = outcome;
      expect(status, path).toBeLessThan(500);
      if (status < 400 || method === "HEAD" || path.includes("/oauth/")) continue;
      if (path.startsWith("/api"))
        expect(z.safeParse(refusalSchema, JSON.parse(body)).success, path).toBe(true);
      else expect(headers["content-type"]).toMatch(/^(text\/html|application\/json)/);
    }
  });

  test("accepts only loopback addresses and localhost as Host", async () => {
    const statusOf = async (host: string) =>
      (await send(`${emulator.url}/_emulator/clock`, "GET", { headers: { host } })).status;
    for (const host of ["127.0.0.1", "127.8.9.10:80", "LOCALHOST:4100", "[::1]:4100"])
      expect(await statusOf(host), host).toBe(200);
    for (const host of ["attacker.example", "127.0.0.1.attacker.example", "0.0.0.0", "x.localhost"])
      expect(await statusOf(host), host).toBe(403);
  });
});

test("an internal error returns 500 without details, and the log contains its cause without secrets", async () => {
  const secret = "s3cret-".repeat(5);
  const emulator = createTestEmulator();
  emulator.service.server.refresh = () => {
    throw new TypeError(`no good: ${secret}`);
  };
  const refresh = { grant_type: "refresh_token", client_id: "x", refresh_token: secret };
  const init = { method: "POST", body: new URLSearchParams(refresh) };
  const answer = emulator.request("/api/partner/oauth/token", init);
  expect(await answerOf(answer)).toEqual({ status: 500, body: { message: "Internal error" } });
  const shown = await (await emulator.request("/_emulator/log")).text();
  expect(shown).toContain("TypeError: no good: …; at ");
  expect(shown).not.toContain(secret);
});
