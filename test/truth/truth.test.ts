/** Every reported outcome of a write is true, against a service that records what it has done. */
import { expect, test } from "vitest";

import { sized, tellFigure } from "../support/soak.js";
import { play, type Sequence } from "./play.js";
import { beginnings, operations, stepNames } from "./service.js";

const length = 3;
const sequences = stepNames.length ** length;
const all = sequences * operations.length;

/** Every sequence for each operation. Its number draws what a sequence leaves open. */
function sequenceOf(number: number): Sequence {
  const pick = <Value>(from: readonly Value[], index: number) =>
    from[index % from.length] ?? expect.unreachable();
  const place = Math.floor(number / operations.length);
  return {
    operation: pick(operations, number),
    beginning: pick(beginnings, Math.floor(number / 3) + place),
    names: Array.from({ length }, (_, turn) => pick(stepNames, Math.floor(place / stepNames.length ** turn))),
    seed: number,
  };
}

/** Coprime to the number of sequences, so that all of them are reached. */
const stride = 7919;
const played = Math.min(all, sized({ test: 600, search: 250_000, soak: 250_000 }));

test("the first responses of sequences have only true outcomes if a function fails after each", async () => {
  const broken: string[] = [];
  const each = stepNames.length * operations.length;
  for (let number = 0; number < each * sized({ test: 1, search: 4, soak: 4 }); number += 1)
    broken.push(...(await play({ ...sequenceOf(number), fails: true })));
  expect(broken).toEqual([]);
});

test(`${played} of the ${all} sequences of three responses and cuts have only true outcomes`, async () => {
  const broken: string[] = [];
  for (let turn = 0; turn < played && broken.length < 5; turn += 1)
    broken.push(...(await play(sequenceOf((turn * stride) % all))));
  const of = `${played} sequences`;
  tellFigure({ what: "outcomes told against the truth", of, wanted: 0, seen: broken.length });
  expect(broken).toEqual([]);
  expect(all).toBeGreaterThan(100_000);
  expect(all % stride).toBeGreaterThan(0);
});
