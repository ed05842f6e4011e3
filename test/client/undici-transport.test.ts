/** Node's transport against servers that break HTTP: the response, and whether the request was sent. */
import { execFileSync } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { Worker } from "node:worker_threads";
import zlib from "node:zlib";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { createClient } from "../../src/client/client.js";
import { proxyFor } from "../../src/client/http.js";
import type { TransportFailure } from "../../src/client/transport.js";
import { closing, listening, temporaryFolder } from "../support/resources.js";
import { inSearch } from "../support/soak.js";
import { httpAnswer, rawServer } from "./support/raw-server.js";
import { errorOf } from "./support/scripted.js";
import { get, post, testTransport } from "./support/transport.js";

const fails = (sending: Promise<unknown>, failure: TransportFailure, sent: boolean, atProxy = false) =>
  expect(sending).rejects.toMatchObject({ failure, sent, atProxy });

describe("a response", () => {
  test("is returned completely, with repeated headers joined and cookies separate, without informational ones", async () => {
    const head = "location: /elsewhere\r\nX-One: a\r\nx-one: b\r\nset-cookie: a=1\r\nSet-Cookie: b=2";
    const informational = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    const server = await rawServer((socket) =>
      socket.write(`${informational}HTTP/1.1 307 X\r\n${head}\r\ncontent-length: 4\r\n\r\nolá`),
    );
    expect(await testTransport().send(get(`${server.url}/x?filters[status_in]=a%20b`))).toEqual({
      status: 307,
      headers: { "content-length": "4", "x-one": "a, b", location: "/elsewhere" },
      setCookies: ["a=1", "b=2"],
      body: "olá",
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatch(/^accept-encoding: identity\r$/im);
    expect(server.requests[0]).toMatch(/^GET \/x\?filters\[status_in\]=a%20b HTTP\/1\.1\r\n/);
  });

  test.each([
    ["an unsolicited 100", ["HTTP/1.1 100 Continue\r\n\r\n"]],
    ["one in pieces, and another", ["HTTP/1.1 1", "00 Continue\r\nx: 1\r", "\n\r\nHTTP/1.1 100 \r\n\r\n"]],
    ["102 and 103", ["HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"]],
  ])("is read after interim ones, on the same connection: %s", async (_, pieces) => {
    const server = await rawServer((socket) => {
      const rest = [...pieces, httpAnswer(204)];
      const next = () => void socket.write(rest.shift() ?? "", () => rest.length > 0 && setImmediate(next));
      next();
    });
    const proxy = await connectProxy(server.port);
    for (const [transport, url] of [
      [testTransport({ connections: 1 }), server.url],
      [testTransport({ connections: 1, env: { HTTP_PROXY: proxy.url } }), "http://store.example"],
    ] as const)
      for (const request of [post(url), get(url)])
        expect(await transport.send(request)).toMatchObject({ status: 204 });
    expect(server.connections()).toBe(2);
  });

  test("that switches protocols isn't one", async () => {
    const server = await rawServer((socket) => socket.write("HTTP/1.1 101 X\r\nupgrade: x\r\n\r\n"));
    await fails(testTransport().send(post(server.url)), "reset", true);
  });

  test.each([
    [200, undefined],
    [401, { status: 401, body: "", truncated: true }],
  ])("that is compressed without a request for it, with HTTP %i, is %j", async (status, expected) => {
    const body = zlib.gzipSync("olá").toString("latin1");
    const length = String(body.length);
    const head = httpAnswer(status, "", { "content-encoding": "gzip", "content-length": length });
    const server = await rawServer((socket) => socket.write(head + body, "latin1"));
    const sending = testTransport().send(post(server.url));
    if (expected) expect(await sending).toMatchObject(expected);
    else await fails(sending, "bad_answer", true);
  });
});

describe("a failure says what happened and whether the request was sent", () => {
  test.each([
    ["a header that isn't valid", { headers: { x: "a\nb" } }],
    ["an address that isn't one", { url: "nowhere" }],
  ])("%s is rejected before anything is sent", async (_, wrong) => {
    const server = await rawServer((socket) => socket.write(httpAnswer(204)));
    const sending = testTransport().send({ ...post(server.url), ...wrong });
    await expect(sending).rejects.toMatchObject({ name: "ComandaError", code: "callback_failed" });
    expect(server.requests).toEqual([]);
  });

  test("if no connection is made, and none continues after the transport is closed", async () => {
    // It accepts connections, and never answers in TLS.
    let [begun, ended] = [0, 0];
    const silent = net.createServer((socket) => {
      begun += 1;
      socket
        .resume()
        .on("error", () => undefined)
        .on("close", () => (ended += 1));
    });
    const url = `https://127.0.0.1:${await listening(closing(silent))}/`;
    const sending = testTransport({ connectTimeoutMs: 300 }).send(post(url));
    await fails(sending, "connect_timeout", false);
    const left = testTransport();
    const abort = new AbortController();
    const given = fails(left.send({ ...post(url), signal: abort.signal }), "aborted", false);
    await expect.poll(() => begun).toBe(2);
    abort.abort();
    await given;
    await left.close();
    await expect.poll(() => ended).toBe(2);
  });

  test("if the certificate isn't trusted", async () => {
    const folder = temporaryFolder();
    const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
    const kind = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost".split(" ");
    const line = ["req", "-x509", "-days", "1", ...kind, "-keyout", key, "-out", cert];
    execFileSync("openssl", line, { stdio: "ignore" });
    const heads: Buffer[] = [];
    const server = tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) =>
      socket.on("data", (chunk: Buffer) => heads.push(chunk)),
    );
    const url = `https://localhost:${await listening(closing(server))}/`;
    await fails(testTransport().send(post(url)), "tls", false);
    expect(heads).toEqual([]);
  });

  test("if the timeout ends before a connection is made, so that nothing is sent later", async () => {
    const transport = testTransport({ connections: 1 });
    const slowOnes: net.Socket[] = [];
    const server = await rawServer((socket, _, head) => {
      if (head.includes("/slow")) slowOnes.push(socket);
      else socket.write(httpAnswer(200));
    });
    const slow = transport.send(get(`${server.url}/slow`));
    await fails(transport.send({ ...post(`${server.url}/queued`), timeoutMs: 50 }), "timeout", false);
    await expect.poll(() => slowOnes).toHaveLength(1);
    slowOnes[0]?.write(httpAnswer(200));
    await slow;
    await transport.send(get(`${server.url}/after`));
    expect(server.requests.map((text) => text.split(" ")[1])).toEqual(["/slow", "/after"]);
  });

  test.each<[string, TransportFailure, string]>([
    ["a head cut short", "reset", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["not HTTP at all", "bad_answer", "220 mail.example ESMTP\r\n"],
  ])("%s", async (_, failure, answer) => {
    const server = await rawServer((socket) => socket.end(answer));
    await fails(testTransport().send(post(server.url)), failure, true);
  });

  test("if a body exceeds the limit, which closes the connection", async () => {
    let closed = false;
    const server = await rawServer((socket) => {
      socket.on("close", () => (closed = true));
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`));
      };
      socket.on("drain", more);
      more();
    });
    await fails(testTransport().send(get(server.url)), "bad_answer", true);
    await expect.poll(() => closed).toBe(true);
  });

  test("if the caller's signal aborts before or after the request was sent", async () => {
    const server = await rawServer(() => abort.abort());
    const abort = new AbortController();
    const send = () => testTransport().send({ ...post(server.url), signal: abort.signal });
    await fails(send(), "aborted", true);
    await fails(send(), "aborted", false);
    expect(server.requests).toHaveLength(1);
  });
});

test("an unreachable address delays only itself, and a slow one has 2.5 s", async () => {
  // The kernel doesn't accept further connections while the queue of the socket is full, as if the host were unreachable.
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     const server = require("node:http").createServer((_, response) => response.end("slow"));
     server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => parentPort.postMessage(server.address().port));
     parentPort.on("message", () => {
       parentPort.postMessage("it does");
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
     });`,
    { eval: true },
  );
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = (await once(worker, "message")) as [number];
  worker.postMessage("stand still");
  await once(worker, "message");
  const queued = Array.from({ length: 4 }, () => net.connect(port, "127.0.0.1").on("error", () => undefined));
  onTestFinished(() => queued.forEach((socket) => socket.destroy()));
  // Its queue is full after two.
  await Promise.all(queued.slice(0, 2).map((socket) => once(socket, "connect")));
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ];
  const lookup = (_: string, __: object, done: (...found: unknown[]) => void) => done(null, addresses);
  vi.spyOn(dns, "lookup").mockImplementation(lookup as unknown as typeof dns.lookup);
  onTestFinished(() => void vi.restoreAllMocks());
  const answer = await testTransport().send(post(`http://store.example:${port}/`));
  expect(answer).toMatchObject({ status: 200, body: "slow" });
});

test("code that can't be loaded fails a request, and neither a later one nor the end of the transport", async () => {
  const server = await rawServer((socket) => socket.write(httpAnswer(204)));
  const transport = testTransport();
  vi.doMock("undici/lib/dispatcher/pool.js", () => {
    throw new Error("The package was replaced.");
  });
  const error = await errorOf(transport.send(post(server.url)));
  vi.doUnmock("undici/lib/dispatcher/pool.js");
  expect(error).toMatchObject({ code: "callback_failed" });
  await transport.close();
  expect(await transport.send(post(server.url))).toMatchObject({ status: 204 });
});

inSearch("no connection is used again if the process was suspended during the idle time", async () => {
  // No timer has run, as during Ctrl-Z or a laptop's sleep.
  const server = await rawServer((socket, seen) => {
    if (seen === 0) socket.write(httpAnswer(200));
    else socket.resetAndDestroy();
  });
  const transport = testTransport({ connections: 1 });
  await transport.send(post(server.url));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_050);
  expect(await transport.send(post(server.url))).toMatchObject({ status: 200 });
  expect(server.connections()).toBe(2);
});

describe("a proxy from the environment", () => {
  const service = "https://api.example";

  test.each<[url: string, variables: Readonly<Record<string, string>>, proxy: string | undefined]>([
    [service, { https_proxy: "http://one:80", HTTPS_PROXY: "http://other:80" }, "http://one:80"],
    [service, { HTTPS_PROXY: "http://one:80", HTTP_PROXY: "http://other:80" }, "http://one:80"],
    [service, { HTTPS_PROXY: "", HTTP_PROXY: "http://other:80" }, "http://other:80"],
    [service, { HTTPS_PROXY: "" }, undefined],
    [
      "http://api.example",
      { HTTPS_PROXY: "http://one:80", HTTP_PROXY: "http://other:80" },
      "http://other:80",
    ],
    ["http://api.example", { HTTPS_PROXY: "http://one:80" }, undefined],
    ["http://127.0.0.1:1/x", { HTTP_PROXY: "http://one:80" }, undefined],
  ])("for %s is chosen by scheme and name, and never for loopback: %j", (url, variables, proxy) => {
    expect(proxyFor(variables, url)).toBe(proxy);
  });

  const onIPv6 = "http://[2001:db8::1]:8080";
  test.each([
    [service, "a, *", true],
    [service, "*:80", false],
    [service, "API.example.", true],
    [service, ".example", true],
    [service, "*.example", true],
    [service, "x.example, api.example:443", true],
    [service, "api.example:8443", false],
    [service, "pi.example", false],
    [service, ".", false],
    [onIPv6, "2001:db8::1", true],
    [onIPv6, "[2001:db8::1]:8080", true],
    [onIPv6, "2001:db8::2", false],
  ])("for %s is not used if NO_PROXY names the host: %j, %j", (url, NO_PROXY, isExempt) => {
    const proxy = proxyFor({ HTTP_PROXY: "http://proxy:80", NO_PROXY }, url);
    expect(proxy === undefined).toBe(isExempt);
  });

  test("whose password can't be decoded is rejected with the name of its variable, and isn't shown", async () => {
    const transport = testTransport({ env: { HTTPS_PROXY: "http://ana:%zzs3cret@p" } });
    const error = await errorOf(transport.send(post(service)));
    expect(error).toMatchObject({ code: "configuration", exitCode: 2 });
    expect(error.message).toContain("The environment variable HTTPS_PROXY ");
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  test("receives requests for other hosts through a tunnel, except those of NO_PROXY", async () => {
    const target = await rawServer((socket) => socket.write(httpAnswer(200, "through")));
    const proxy = await connectProxy(target.port);
    const transport = testTransport({ env: { HTTP_PROXY: proxy.url, NO_PROXY: "no-such-host.invalid" } });
    expect((await transport.send(get("http://store.example/x"))).body).toBe("through");
    await fails(transport.send(get("http://no-such-host.invalid/")), "dns", false);
    expect(proxy.tunnels).toEqual(["store.example:80"]);
  });

  test("that refuses the tunnel proves that the request was not sent", async () => {
    const proxy = await connectProxy(403);
    const transport = testTransport({ env: { HTTP_PROXY: proxy.url } });
    const sending = transport.send(post("http://store.example/x"));
    await expect(sending).rejects.toThrow("at the proxy, the connection was refused (HTTP 403)");
    await fails(sending, "refused", false, true);
  });

  test("that refuses the password receives it once for many requests, and the error names the proxy", async () => {
    const proxy = await connectProxy(407);
    const HTTPS_PROXY = proxy.url.replace("//", "//user:wrong@");
    const transport = testTransport({ env: { HTTPS_PROXY } });
    const credentials = { bearer: () => Promise.resolve("T") };
    const client = createClient({ baseUrl: "https://store.example", transport, credentials });
    const errors = await Promise.all(["1", "2", "3"].map((order) => errorOf(client.dispatchOrder(order))));
    for (const error of errors)
      expect(error).toMatchObject({ code: "unreachable", outcome: "failed", attempts: 1, evidence: null });
    expect(errors[0]?.message).toBe(
      "The call to store.example failed: at the proxy, the user name or password was refused (HTTP 407).",
    );
    expect(errors[0]?.hintFacts).toEqual({ about: "proxy" });
    expect(proxy.tunnels).toEqual(["store.example:443"]);
    // The proxy may accept it later, even if requests never pause.
    const later = performance.now() + 1000;
    vi.spyOn(performance, "now").mockImplementation(() => later);
    onTestFinished(() => void vi.restoreAllMocks());
    await errorOf(client.dispatchOrder("4"));
    await errorOf(client.dispatchOrder("5"));
    expect(proxy.tunnels).toHaveLength(2);
  });
});

/** @param to the port of each tunnel, or the status that refuses it */
async function connectProxy(to: number) {
  const tunnels: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket: net.Socket) => {
    tunnels.push(request.url ?? "");
    socket.on("error", () => undefined);
    if (to === 403 || to === 407) {
      socket.end(`HTTP/1.1 ${to} No\r\n\r\n`);
      return;
    }
    const onward = net.connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listening(closing(server))}`, tunnels };
}
