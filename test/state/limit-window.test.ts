/** Whose turn it is where a rate limit makes several wait. */
import { describe, expect, test } from "vitest";

import {
  askAgainMs,
  emptyWindow,
  expiryOf,
  inTurn,
  placesFor,
  windowAt,
  type LimitWaiter,
} from "../../src/state/limit-window.js";

const waiter = (id: string, since: number, more: Partial<LimitWaiter> = {}): LimitWaiter => ({
  ...{ id, requests: 1, isBackground: false, since, expires: expiryOf(since, 1000), pid: 1, host: "here" },
  ...more,
});
const [first, second, night] = [
  waiter("a", 1, { requests: 2 }),
  waiter("b", 2),
  waiter("c", 0, { isBackground: true, requests: 3 }),
];
const all = [night, second, first];
const newcomer = (requests: number, isBackground = false) => ({ waiter: undefined, requests, isBackground });
const known = (each: LimitWaiter) => ({ ...each, waiter: each });

describe("a place that is free", () => {
  test.each([
    ["goes to whoever asks where nobody waits", newcomer(3), 5, [], 3],
    ["and no more than there are", newcomer(3), 2, [], 2],
    ["isn't a newcomer's as long as others wait", newcomer(1), 3, [first, second], 0],
    ["but those beyond theirs are", newcomer(3), 5, [first, second], 2],
    ["is the first one's", known(first), 1, all, 1],
    ["is not the second one's before the first has theirs", known(second), 2, all, 0],
    ["is the second one's then", known(second), 3, all, 1],
    ["is a person's before work in the background that waits for longer", newcomer(1), 1, [night], 1],
    ["is work's in the background where nobody else waits", newcomer(5, true), 5, [], 5],
    ["and goes to it after all others", known(night), 5, all, 2],
  ] as const)("%s", (_, asking, free, waiting, places) => {
    expect(placesFor(asking, free, waiting)).toBe(places);
  });

  test("those who wait are listed in their turn", () => {
    expect(inTurn(all).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("whoever waits", () => {
  const limit = { limit: 5, windowMs: 60_000 };
  const waitingAt = (now: number, each: LimitWaiter) =>
    windowAt({ ...emptyWindow, waiters: [each] }, limit, now).waiters;

  test.each([
    ["still asks", 1000, true],
    ["is a moment late", 2900, true],
    ["asks no more", 3100, false],
  ])("%s", (_, now, waits) => {
    expect(waitingAt(now, waiter("a", 0))).toHaveLength(waits ? 1 : 0);
  });

  test("for a long time asks again meanwhile, or keeps nobody waiting", () => {
    const patient = waiter("a", 0, { expires: expiryOf(0, 50_000) });
    expect(waitingAt(askAgainMs, patient)).toHaveLength(1);
    expect(waitingAt(askAgainMs + 2001, patient)).toHaveLength(0);
  });
});
