/** The emulator under requests as they come: bodies of any length and framing, any method, any path, any Host. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { errorSchemas } from "../../src/api/answers.js";
import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import { createTestEmulator } from "./support.js";

/** As section 7 has it; a refusal that the section doesn't name has no code. */
const refusalSchema = z.partial(errorSchemas().error, { code: true });

interface Sent {
  readonly body?: string;
  /** In pieces, without an announced length. */
  readonly chunked?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function send(url: string, method: string, { body = "", chunked = false, headers = {} }: Sent = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const framing = chunked
      ? { "transfer-encoding": "chunked" }
      : { "content-length": String(Buffer.byteLength(body)) };
    const call = request(url, { method, headers: { ...framing, ...headers }, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      );
    });
    call.on("error", reject);
    if (chunked && body !== "") call.write(body.slice(0, 1));
    call.end(chunked ? body.slice(1) : body);
  });
}

/** For what no client would send. */
async function sendRaw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (answer += piece));
  socket.end(text);
  await once(socket, "close");
  return answer;
}

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

  test.each([
    ["/api/partner/oauth/token", "grant_type=refresh_token&client_id=x&refresh_token=y", 400],
    ["/api/partner/oauth/revoke", "token=y&client_id=comanda-local", 200],
    ["/portal/authorize", "decision=allow", 400],
  ])("answers a chunked form at %s as any other", async (path, body, status) => {
    const [whole, chunked] = await Promise.all(
      [false, true].map((pieces) =>
        send(emulator.url + path, "POST", { body, chunked: pieces, headers: form }),
      ),
    );
    expect([whole?.status, chunked?.status]).toEqual([status, status]);
    if (path.startsWith("/api")) expect(chunked?.body).toBe(whole?.body);
  });

  test.each([false, true])("refuses 2 MiB with 413, chunked %s", async (chunked) => {
    const post = async (path: string, headers: Record<string, string>) =>
      send(emulator.url + path, "POST", { body: tooLong, chunked, headers });
    for (const path of ["/api/partner/v1/orders/prefilled_order", "/_emulator/orders"]) {
      const { status, body } = await post(path, { ...json, ...apiKey });
      expect([path, status, JSON.parse(body)]).toEqual([path, 413, { message: "Body too large" }]);
    }
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
      const { status, headers, body } = await send(emulator.url + path, method, { headers: apiKey });
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 500)]);
      if (status < 400 || method === "HEAD" || path.includes("/oauth/")) continue;
      if (path.startsWith("/api"))
        expect([path, z.safeParse(refusalSchema, JSON.parse(body)).success]).toEqual([path, true]);
      else expect(headers["content-type"]).toMatch(/^(text\/html|application\/json)/);
    }
  });

  test.each([
    "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1",
    "GET /\\portal HTTP/1.1\r\nHost: 127.0.0.1",
    "GET / HTTP/1.1\r\nHost: a b",
    "GET / HTTP/1.1\r\nHost: x@127.0.0.1",
  ])("%j is refused in the API's shape", async (head) => {
    const answer = await sendRaw(emulator.url, `${head}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\{"code":4000,"message":"Invalid parameters","details":/);
  });

  test.each([
    ...["attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example", "127.0.0.256"],
    ...["2130706433", "0.0.0.0", "[::ffff:7f00:1]", "10.0.0.1", "localhost.", "x.localhost"],
  ])("refuses the Host %s, whatever is asked", async (host) => {
    for (const path of ["/portal/authorize", "/_emulator/stores", "/api/partner/v1/orders/summary"]) {
      const answer = await send(emulator.url + path, "GET", { headers: { host } });
      expect([path, answer.status]).toEqual([path, expect.toSatisfy((code) => code === 403 || code === 400)]);
      expect(z.safeParse(refusalSchema, JSON.parse(answer.body)).success).toBe(true);
    }
  });

  test("serves the Hosts of this machine", async () => {
    for (const host of ["127.0.0.1", "127.8.9.10:80", "localhost", "LOCALHOST:4100", "[::1]:4100"])
      expect((await send(`${emulator.url}/_emulator/clock`, "GET", { headers: { host } })).status).toBe(200);
  });
});

describe("a defect of the emulator's own", () => {
  const secrets = ["s3cret-".repeat(5), "k".repeat(32)];
  const broken = () => {
    const emulator = createTestEmulator();
    emulator.service.server.refresh = () => {
      throw new TypeError(`no good: ${secrets.join(" ")}`);
    };
    const refresh = { grant_type: "refresh_token", client_id: "x", refresh_token: secrets[0] ?? "" };
    const answer = emulator.request("/api/partner/oauth/token", {
      method: "POST",
      body: new URLSearchParams(refresh),
    });
    return { emulator, answer };
  };

  test("is a 500 that says nothing, and its cause is in the log, without what was sent", async () => {
    const { emulator, answer } = broken();
    expect((await answer).status).toBe(500);
    expect(await (await answer).json()).toEqual({ message: "Internal error" });
    const entry = emulator.service.log.entries().at(-1);
    expect(entry?.cause).toMatch(/^TypeError: no good: … …; at \S+.*any-request\.test/);
    const shown = await (await emulator.request("/_emulator/log")).text();
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).toContain("TypeError: no good");
  });

  test("is not what a refusal is, nor a client that went away in the middle", async () => {
    const emulator = await startEmulator({ orders: 0 });
    await send(`${emulator.url}/nope`, "GET");
    const started =
      "POST /portal/authorize HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\n\r\nab";
    const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
    socket.write(started);
    await expect.poll(() => emulator.service.log.entries().length).toBe(2);
    socket.resetAndDestroy();
    await expect.poll(() => emulator.service.log.entries().at(-1)?.status).not.toBeNull();
    expect(emulator.service.log.entries().map(({ cause }) => cause)).toEqual([null, null]);
    await emulator.close();
  });
});
