import { createServer } from "node:net";
import { connect } from "node:net";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { addressOf } from "../../src/auth/authorize.js";
import { listenForRedirect } from "../../src/auth/listener.js";
import { freePort } from "../support/free-port.js";
import { get, sendRaw } from "./support/raw-http.js";
import { testEnvironment } from "./support/sessions.js";

type RedirectListener = Awaited<ReturnType<typeof listenForRedirect>>;
const state = "pending-state-0123456789";

let port: number;
let listener: RedirectListener | undefined;

async function start(redirectUri: string): Promise<RedirectListener> {
  const address = addressOf(testEnvironment({ redirect_uri: redirectUri }), "redirect_uri");
  listener = await listenForRedirect({ state, address }, () => undefined);
  return listener;
}

/** Whether a callback was taken, without waiting for one. */
async function taken({ received }: RedirectListener): Promise<boolean> {
  const none = Symbol("none");
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([received, Promise.resolve(none)])) !== none;
}

const callbackUrl = (query: string, path = "/callback") => `http://127.0.0.1:${port}${path}${query}`;
const valid = `?code=the-code&state=${state}`;

beforeEach(async () => {
  port = await freePort();
});

afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

describe("what is no answer is refused, and the wait goes on", () => {
  const head = (method: string, target: string, host = `127.0.0.1:${port}`) =>
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

  test.each([
    ["the favicon", () => head("GET", "/favicon.ico"), 404],
    ["another path", () => head("GET", `/${valid}`), 404],
    ["POST", () => head("POST", `/callback${valid}`), 405],
    ["another host", () => head("GET", `/callback${valid}`, `evil.example:${port}`), 400],
    ["localhost for 127.0.0.1", () => head("GET", `/callback${valid}`, `localhost:${port}`), 400],
    [
      "two hosts",
      () => `GET /callback${valid} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
      400,
    ],
    ["an absolute target", () => head("GET", `http://127.0.0.1:${port}/callback${valid}`), 404],
    ["a wrong state", () => head("GET", "/callback?code=x&state=wrong"), 400],
    ["headers without end", () => head("GET", `/callback${valid}&x=${"x".repeat(20_000)}`), 431],
    ["no HTTP", () => "\x16\x03\x01\x00\xa5\x01\r\n\r\n", 400],
  ])("%s", async (_, bytes, status) => {
    const waiting = await start(callbackUrl(""));
    const answer = await sendRaw(port, bytes());
    expect(answer.status).toBe(status);
    if (status === 405) expect(answer.headers["allow"]).toBe("GET");
    expect(await taken(waiting)).toBe(false);

    // The answer that comes after all of that still counts.
    const page = get(callbackUrl(valid));
    const { callback, answer: respond } = await waiting.received;
    expect(callback).toEqual({ code: "the-code" });
    await respond("signed_in");
    expect((await page).status).toBe(200);
  });
});

describe("the first valid callback", () => {
  test("wins; a second one gets 409; both pages wait for nobody else", async () => {
    const waiting = await start(callbackUrl(""));
    const first = get(callbackUrl(valid));
    const { callback, answer } = await waiting.received;
    const second = await get(callbackUrl(`?code=another&state=${state}`));
    expect(second).toMatchObject({ status: 409 });
    // A wrong state is refused as before, whether or not somebody answered.
    expect((await get(callbackUrl("?code=x&state=wrong"))).status).toBe(400);
    await answer("signed_in");
    expect((await first).status).toBe(200);
    expect(callback).toEqual({ code: "the-code" });
  });

  test("is answered only when the outcome is known", async () => {
    const waiting = await start(callbackUrl(""));
    let page: unknown;
    const asked = get(callbackUrl(valid)).then((answer) => (page = answer));
    const { answer } = await waiting.received;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(page).toBeUndefined();
    await answer("failed");
    await asked;
    expect(page).toMatchObject({ status: 400, body: expect.stringContaining("did not succeed") as string });
  });
});

describe("every page", () => {
  test("keeps nothing, loads nothing, and shows nothing of a request", async () => {
    await start(callbackUrl(""));
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
});

describe("the port", () => {
  test("is on the loopback address alone", async () => {
    await start(callbackUrl(""));
    // Another address of this machine's own loopback net, which a listener on every interface would answer.
    await expect(refusesConnection("127.0.0.2", port)).resolves.toBe(true);
  });

  test("that is taken is an error at once, naming it", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    await expect(start(callbackUrl(""))).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining(`Port ${port} of 127.0.0.1`) as string,
      hint: expect.stringContaining("comanda env set") as string,
    });
    await new Promise((resolve) => other.close(resolve));
  });

  test("of localhost is taken on both addresses", async ({ skip }) => {
    if (!(await hasIpv6Loopback())) skip("this machine has no ::1");
    const waiting = await start(`http://localhost:${port}/callback`);
    expect((await get(`http://localhost:${port}/callback?code=x`, "127.0.0.1")).status).toBe(400);
    const page = get(`http://localhost:${port}/callback${valid}`, "::1");
    await (await waiting.received).answer("signed_in");
    expect((await page).status).toBe(200);
  });

  test("is free, and every connection ended, as soon as the wait is over", async () => {
    const waiting = await start(callbackUrl(""));
    const idle = connect(port, "127.0.0.1");
    idle.on("error", () => undefined);
    const ended = new Promise((resolve) => idle.on("close", resolve));
    await new Promise((resolve) => idle.on("connect", resolve));
    const held = get(callbackUrl(valid));
    await waiting.received;
    await waiting.close();
    await Promise.all([ended, held]);
    expect(await refusesConnection("127.0.0.1", port)).toBe(true);
  });
});

async function refusesConnection(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", () => resolve(true));
  });
}

async function hasIpv6Loopback(): Promise<boolean> {
  return freePort("::1").then(
    () => true,
    () => false,
  );
}
