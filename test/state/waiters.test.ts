/** Whose turn it is where a rate limit makes several wait. */
import { describe, expect, test } from "vitest";

import type { Waiter } from "../../src/state/quota/quota-window.js";
import { inTurn, placesFor, stillWaiting } from "../../src/state/quota/waiters.js";

const moment = (at: number) => ({ at, up: at, boot: "boot" });
const waiter = (id: string, since: number, more: Partial<Waiter> = {}): Waiter => ({
  id,
  process: { pid: 1, start: "1", boot: "boot", pid_namespace: "1", host: "here" },
  count: 1,
  since: moment(since),
  asked: moment(since),
  again_ms: 1000,
  background: false,
  ...more,
});
const [first, second, night] = [
  waiter("a", 1, { count: 2 }),
  waiter("b", 2),
  waiter("c", 0, { background: true, count: 3 }),
];
const all = [night, second, first];
const newcomer = (count: number, background = false) => ({ known: undefined, count, background });
const known = (each: Waiter) => ({ known: each, count: each.count, background: each.background });

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
  test.each([
    ["still asks", 1000, false, true],
    ["is a moment late", 2900, false, true],
    ["asks no more", 3100, false, false],
    ["has ended", 10, true, false],
  ])("%s", (_, now, isGone, waits) => {
    expect(stillWaiting([waiter("a", 0)], moment(now), () => isGone)).toHaveLength(waits ? 1 : 0);
  });
});
