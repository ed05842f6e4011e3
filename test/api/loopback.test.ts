import { expect, test } from "vitest";

import { isLoopbackHost } from "../../src/api/loopback.js";
import { normalizeBaseUrl } from "../../src/client/transport.js";

const own = ["localhost", "LOCALHOST", "127.0.0.1", "127.255.255.254", "[::1]", "::1"];
const others = [
  ...["localhost.", "x.localhost", "x.localhost.", ".localhost", "localhost.example", "notlocalhost"],
  ...[
    "128.0.0.1",
    "127.0.0.256",
    "127.0.0",
    "127.0.0.1.example",
    "0.0.0.0",
    "[::]",
    "[::ffff:127.0.0.1]",
    "",
  ],
];

test.each(own)("%s is this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each(others)("%j is not this machine for certain", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

test.each(["localhost.", "x.localhost", "store.example"])("http to %s is refused", (host) => {
  expect(() => normalizeBaseUrl(`http://${host}:8080`)).toThrow(/https/);
  expect(normalizeBaseUrl(`https://${host}:8080`)).toBe(`https://${host}:8080`);
});
