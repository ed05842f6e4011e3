import { expect, test } from "vitest";

import { isLoopbackHost } from "../../src/api/basics.js";
import { normalizeBaseUrl } from "../../src/client/transport.js";

test.each([
  ["localhost", "LOCALHOST", "127.0.0.1", "127.255.255.254", "[::1]", "::1", true],
  ["localhost.", "x.localhost", ".localhost", "localhost.example", "notlocalhost", "", false],
  ["128.0.0.1", "127.0.0.256", "127.0.0", "127.0.0.1.example", "0.0.0.0", "[::]", false],
  ["[::ffff:127.0.0.1]", false],
])("%j: this machine for certain, or not", (...row) => {
  const hosts = row.filter((each) => typeof each === "string");
  expect(hosts.map(isLoopbackHost)).toEqual(hosts.map(() => row.at(-1)));
});

test.each(["localhost.", "x.localhost", "store.example"])("http to %s is refused", (host) => {
  expect(() => normalizeBaseUrl(`http://${host}:8080`)).toThrow(/https/);
  expect(normalizeBaseUrl(`https://${host}:8080`)).toBe(`https://${host}:8080`);
});
