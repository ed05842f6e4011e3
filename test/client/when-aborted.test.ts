import { getEventListeners } from "node:events";

import { expect, test } from "vitest";

import { whenAborted } from "../../src/client/when-aborted.js";

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

test("one listener stands for all, and each is called once, in the order in which they came", () => {
  const controller = new AbortController();
  const told: string[] = [];
  const leave = ["a", "b", "c", "d", "e"].map((name) =>
    whenAborted(controller.signal, () => void told.push(name)),
  );
  expect(listenersOf(controller.signal)).toBe(1);
  for (const index of [0, 2, 4]) leave[index]?.();
  // Twice does no harm, also to its neighbours.
  leave[2]?.();
  whenAborted(controller.signal, () => void told.push("f"));
  controller.abort();
  expect(told).toEqual(["b", "d", "f"]);
  expect(listenersOf(controller.signal)).toBe(0);
  for (const each of leave) each();
  controller.signal.dispatchEvent(new Event("abort"));
  expect(told).toEqual(["b", "d", "f"]);
});

test("nothing stays on a signal whose last one was taken away, and it can be heard again", () => {
  const controller = new AbortController();
  const told: string[] = [];
  const leave = [1, 2].map(() => whenAborted(controller.signal, () => void told.push("no")));
  for (const each of leave) each();
  expect(listenersOf(controller.signal)).toBe(0);
  whenAborted(controller.signal, () => void told.push("yes"));
  controller.abort();
  expect(told).toEqual(["yes"]);
});

test("what is told takes others away, which are not told then", () => {
  const controller = new AbortController();
  const told: string[] = [];
  const leave: (() => void)[] = [];
  for (const name of ["a", "b", "c"])
    leave.push(
      whenAborted(controller.signal, () => {
        told.push(name);
        leave[1]?.();
      }),
    );
  controller.abort();
  expect(told).toEqual(["a", "c"]);
});
