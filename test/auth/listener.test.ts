import { createServer } from "node:net";

import { beforeEach, describe, expect, test } from "vitest";

import { listenForRedirect } from "../../src/auth/listener.js";
import { containing } from "../support/output.js";
import { closing, freePort, listening } from "../support/resources.js";
import { hinted } from "../support/rejection.js";
import { get, sendRaw } from "./support/raw-http.js";

const state = "pending-state-0123456789";

let port: number;

async function start(host = "127.0.0.1") {
  const address = new URL(`http://${host}:${port}/callback`);
  return closing(await listenForRedirect({ state, address }, () => undefined));
}

const callbackUrl = (query: string) => `http://127.0.0.1:${port}/callback${query}`;
const valid = `?code=the-code&state=${state}`;

beforeEach(async () => {
  port = await freePort();
});

describe("an invalid callback is rejected without ending the wait", () => {
  const own = () => `127.0.0.1:${port}`;
  const head = (method: string, target: string, host = own()) =>
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

  test.each([
    ["another path", () => head("GET", `/${valid}`), 404],
    ["POST", () => head("POST", `/callback${valid}`), 405],
    ["another host", () => head("GET", `/callback${valid}`, `evil.example:${port}`), 400],
    ["localhost for 127.0.0.1", () => head("GET", `/callback${valid}`, `localhost:${port}`), 400],
    ["two hosts", () => head("GET", `/callback${valid}`, `${own()}\r\nhost: ${own()}`), 400],
    ["an absolute target", () => head("GET", `http://127.0.0.1:${port}/callback${valid}`), 404],
    ["a wrong state", () => head("GET", "/callback?code=x&state=wrong"), 400],
  ])("%s", async (_, bytes, status) => {
    const waiting = await start();
    expect((await sendRaw(port, bytes())).status).toBe(status);
    // A valid callback afterwards is still the first one.
    const page = get(callbackUrl(valid.replace("the-code", "another")));
    const { callback, answer: respond } = await waiting.received;
    expect(callback).toEqual({ code: "another" });
    await respond("signed_in");
    expect((await page).status).toBe(200);
  });
});

test("the first valid callback gets its response when the outcome is known, and a second one gets 409", async () => {
  const waiting = await start();
  let page: unknown;
  const first = get(callbackUrl(valid)).then((answer) => (page = answer));
  const { callback, answer } = await waiting.received;
  expect((await get(callbackUrl(`?code=another&state=${state}`))).status).toBe(409);
  // A wrong state is rejected as before.
  expect((await get(callbackUrl("?code=x&state=wrong"))).status).toBe(400);
  expect(callback).toEqual({ code: "the-code" });
  expect(page).toBeUndefined();
  await answer("failed");
  await first;
  expect(page).toMatchObject({ status: 400, body: containing("The sign-in failed") });
});

test("a page is not cached, loads nothing, and contains nothing from the request", async () => {
  await start();
  const { headers, body } = await get(callbackUrl("?code=x&state=<script>alert(1)</script>"));
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
  expect(body).not.toMatch(/script|alert|state|code=/i);
  expect(body).toContain('<html lang="en">');
});

describe("the port", () => {
  test("accepts connections only on the loopback address", async () => {
    await start();
    // A listener on all interfaces would accept connections to this loopback address too.
    expect((await get(callbackUrl("?code=x"), "127.0.0.2")).status).toBeNaN();
  });

  test("is named in an immediate error if it is in use", async () => {
    await listening(closing(createServer()), port);
    const message = containing(`127.0.0.1:${port}`);
    const hint = containing("Quit the program that uses the port");
    await expect(hinted(start())).rejects.toMatchObject({ code: "configuration", message, hint });
  });

  test("accepts connections on both addresses of localhost", async ({ skip }) => {
    await freePort("::1").catch(() => skip("this machine has no ::1"));
    const waiting = await start("localhost");
    expect((await get(`http://localhost:${port}/callback?code=x`, "127.0.0.1")).status).toBe(400);
    const page = get(`http://localhost:${port}/callback${valid}`, "::1");
    await (await waiting.received).answer("signed_in");
    expect((await page).status).toBe(200);
  });
});
