/** The emulator under requests as they come: bodies of any length and framing, any method, any path, any Host. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { anyInteger, errorSchemas } from "../../src/api/responses.js";
import { shapeOf } from "../../src/api/schema.js";
import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import { createTestEmulator, send } from "./support.js";

/** As section 7 has it; a refusal that the section doesn't name has no code. */
const refusalSchema = z.object({
  ...shapeOf(errorSchemas().error),
  code: z.optional(anyInteger()),
});

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const tooLong = "x".repeat(2 * 1_048_576);

describe("the emulator", () => {
  let emulator: Emulator;
  let apiKey: Record<string, string>;
  beforeAll(async () => {
    // As the command starts it: this process's global Request is its own from here on.
    emulator = await startEmulator({ orders: 3, rateLimits: false, ownsProcess: true });
    apiKey = { "x-api-key": emulator.world.stores.get(501)?.apiKey ?? "" };
  });
  afterAll(async () => {
    expect(emulator.service.log.entries().filter(({ cause }) => cause !== null)).toEqual([]);
    await emulator.close();
  });

  test.each([false, true])("refuses 2 MiB with 413, chunked %s", async (chunked) => {
    const post = async (path: string, headers: Record<string, string>) =>
      send(emulator.url + path, "POST", { body: tooLong, chunked, headers });
    const { status, body = "" } = await post("/api/partner/v1/orders/prefilled_order", {
      ...json,
      ...apiKey,
    });
    expect([status, JSON.parse(body)]).toEqual([413, { message: "Body too large" }]);
    for (const path of ["/api/partner/oauth/token", "/portal/authorize"])
      expect([path, (await post(path, form)).status]).toEqual([path, 413]);
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

  test.each(methods)("%s: no path is a defect, and errors of the API have its shape", async (method) => {
    for (const path of paths) {
      const {
        status = 0,
        headers = {},
        body = "",
      } = await send(emulator.url + path, method, { headers: apiKey });
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 500)]);
      if (status < 400 || method === "HEAD" || path.includes("/oauth/")) continue;
      if (path.startsWith("/api"))
        expect([path, z.safeParse(refusalSchema, JSON.parse(body)).success]).toEqual([path, true]);
      else expect(headers["content-type"]).toMatch(/^(text\/html|application\/json)/);
    }
  });

  test("serves this machine's own Hosts alone", async () => {
    const statusOf = async (host: string) =>
      (await send(`${emulator.url}/_emulator/clock`, "GET", { headers: { host } })).status;
    for (const host of ["127.0.0.1", "127.8.9.10:80", "LOCALHOST:4100", "[::1]:4100"])
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    for (const host of ["attacker.example", "127.0.0.1.attacker.example", "0.0.0.0", "x.localhost"])
      expect([host, await statusOf(host)]).toEqual([host, 403]);
  });
});

test("a defect of the emulator's own is a 500 that says nothing, and its cause is in the log, without secrets", async () => {
  const secret = "s3cret-".repeat(5);
  const emulator = createTestEmulator();
  emulator.service.server.refresh = () => {
    throw new TypeError(`no good: ${secret}`);
  };
  const refresh = { grant_type: "refresh_token", client_id: "x", refresh_token: secret };
  const answer = await emulator.request("/api/partner/oauth/token", {
    method: "POST",
    body: new URLSearchParams(refresh),
  });
  expect([answer.status, await answer.json()]).toEqual([500, { message: "Internal error" }]);
  const shown = await (await emulator.request("/_emulator/log")).text();
  expect(shown).toContain("TypeError: no good: …; at ");
  expect(shown).not.toContain(secret);
});
