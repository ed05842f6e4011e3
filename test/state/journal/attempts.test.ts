/** What became of a write, from its lines in any order and cut off at any line. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WriteLines } from "../../../src/state/journal/attempts.js";
import type { AttemptResult } from "../../../src/state/journal/entries.js";

const done: AttemptResult = { outcome: "done", http_status: 204, code: null };
const refused: AttemptResult = { outcome: "refused", http_status: 409, code: 4002 };
const limited: AttemptResult = {
  outcome: "refused",
  unprocessed: true,
  http_status: 429,
  code: "rate_limited",
};
const unsent: AttemptResult = {
  outcome: "failed",
  unprocessed: true,
  http_status: null,
  code: "unreachable",
};
const unknown: AttemptResult = { outcome: "unknown", http_status: 500, code: "outcome_unknown" };
const results = [done, refused, limited, unsent, unknown];

interface Line {
  readonly attempt: number;
  readonly result?: AttemptResult;
}
const linesOf = (attempts: readonly (AttemptResult | undefined)[]): Line[] =>
  attempts.flatMap((result, index) => [
    { attempt: index + 1 },
    ...(result ? [{ attempt: index + 1, result }] : []),
  ]);
function read(lines: readonly Line[]) {
  const write = new WriteLines();
  for (const { attempt, result } of lines) {
    if (result) write.outcome(attempt, result);
    else write.sent(attempt);
  }
  return write.result();
}

describe("a write", () => {
  test.each<[string, (AttemptResult | undefined)[], Partial<AttemptResult>]>([
    ["answered", [done], done],
    ["refused", [refused], refused],
    ["without an answer", [undefined], { outcome: "unknown", http_status: null, code: null }],
    ["limited, then done", [limited, done], done],
    ["limited, and given up", [limited], { outcome: "refused", http_status: 429 }],
    ["limited, then killed", [limited, undefined], { outcome: "unknown" }],
    ["never out, and given up", [unsent, unsent], { outcome: "failed" }],
    ["in doubt, then limited", [unknown, limited], { outcome: "unknown", http_status: 500 }],
    ["in doubt, then killed before it went out again", [undefined, unsent], { outcome: "unknown" }],
    ["in doubt, then refused for what it is", [unknown, refused], refused],
    ["in doubt, then done", [undefined, done], done],
  ])("%s", (_, attempts, expected) => {
    const { outcome, http_status, code } = { ...expected };
    expect(read(linesOf(attempts))).toMatchObject({
      attempts: attempts.length,
      ...(outcome && { outcome }),
      ...(http_status !== undefined && { http_status }),
      ...(code !== undefined && { code }),
    });
  });

  const anyAttempts = fc.array(fc.option(fc.constantFrom(...results), { nil: undefined }), {
    minLength: 1,
    maxLength: 6,
  });

  test("is the same whatever the order of its lines", () => {
    fc.assert(
      fc.property(
        anyAttempts.chain((attempts) =>
          fc.tuple(
            fc.constant(attempts),
            fc.shuffledSubarray(linesOf(attempts), { minLength: linesOf(attempts).length }),
          ),
        ),
        ([attempts, shuffled]) => {
          expect(read(shuffled)).toEqual(read(linesOf(attempts)));
        },
      ),
    );
  });

  test("cut off at any line is never taken for one that may be sent again but wasn't so", () => {
    fc.assert(
      fc.property(anyAttempts, fc.nat(), (attempts, at) => {
        const lines = linesOf(attempts);
        const kept = lines.slice(0, 1 + (at % lines.length));
        const whole = lines.slice(kept.length);
        const cut = read(kept);
        // Whatever was lost: what was out by then and without a word of the service's is in doubt.
        const last = kept.at(-1);
        if (last && !last.result) expect(cut.outcome).toBe("unknown");
        if (whole.length === 0) expect(cut).toEqual(read(lines));
      }),
    );
  });
});
