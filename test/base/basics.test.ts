import { expect, test } from "vitest";

import { isLoopbackHost, suggestion } from "../../src/base/basics.js";

test.each([
  [true, "localhost LOCALHOST 127.0.0.1 127.255.255.254 [::1] ::1"],
  [false, "localhost. x.localhost .localhost localhost.example notlocalhost"],
  [false, "128.0.0.1 127.0.0.256 127.0.0 127.0.0.1.example 0.0.0.0 [::] [::ffff:127.0.0.1]"],
  [false, ""],
])("isLoopbackHost returns %s for %s", (isOwn, hosts) => {
  for (const host of hosts.split(" ")) expect({ host, isOwn: isLoopbackHost(host) }).toEqual({ host, isOwn });
});

test.each([
  ["CLSD", "closed"],
  ["dclosed", "closed"],
  ["cancelled", "canceled"],
  ["maxRetry", "maxRetries"],
  ["pizza", undefined],
  ["x".repeat(10_000), undefined],
])("%s suggests %s", (word, meant) => {
  const words = ["closed", "canceled", "ready", "maxRetries"];
  expect(suggestion(word, words)).toBe(meant === undefined ? "" : ` Did you mean "${meant}"?`);
});
