/** What became of a write, from its lines in any order and cut off at any line. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WriteLines } from "../../../src/state/journal/attempts.js";
import type { AttemptResult } from "../../../src/state/journal/entries.js";

const done: AttemptResult = { outcome: "done", http_status: 204, code: null, evidence: "api" };
const refused: AttemptResult = { outcome: "refused", http_status: 409, code: 4002, evidence: "api" };
const absent: AttemptResult = { outcome: "refused", http_status: 404, code: 4041, evidence: "api" };
const limited: AttemptResult = {
  outcome: "refused",
  http_status: 429,
  code: "rate_limited",
  evidence: "gateway",
};
const page: AttemptResult = { outcome: "failed", http_status: 404, code: "not_found", evidence: "gateway" };
const unsent: AttemptResult = { outcome: "failed", http_status: null, code: "unreachable", evidence: null };
const unknown: AttemptResult = {
  outcome: "unknown",
  http_status: 500,
  code: "outcome_unknown",
  evidence: "gateway",
};
const silence: AttemptResult = { outcome: "unknown", http_status: null, code: null, evidence: "nobody" };
const results = [done, refused, absent, limited, page, unsent, unknown];

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
  test.each<[string, (AttemptResult | undefined)[], AttemptResult]>([
    ["answered", [done], done],
    ["refused", [refused], refused],
    ["without an answer", [undefined], silence],
    ["limited, then done", [limited, done], done],
    ["limited, and given up", [limited], limited],
    ["limited, then killed", [limited, undefined], silence],
    ["limited, then never out", [limited, unsent], { ...unsent, evidence: "gateway" }],
    ["never out, and given up", [unsent, unsent], unsent],
    ["in doubt, then limited", [unknown, limited], unknown],
    ["in doubt, then killed before it went out again", [undefined, unsent], silence],
    ["in doubt, then answered by a gateway's page", [undefined, page], silence],
    ["in doubt, then refused as one that is done", [silence, refused], { ...refused, outcome: "unknown" }],
    ["in doubt, then not there", [unknown, absent], absent],
    ["in doubt, then done", [undefined, done], done],
    ["in doubt, then limited, then refused", [silence, limited, refused], { ...refused, outcome: "unknown" }],
  ])("%s", (_, attempts, expected) => {
    expect(read(linesOf(attempts))).toEqual({ ...expected, attempts: attempts.length });
  });

  test("of which an earlier process knew nothing: what another one learns is told with that", () => {
    const before = new WriteLines();
    before.sent(1);
    const later = new WriteLines(before);
    later.outcome(2, refused);
    expect(later.result()).toEqual({ ...refused, outcome: "unknown", attempts: 1 });
    before.outcome(1, limited);
    expect(later.result()).toEqual({ ...refused, attempts: 1 });
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
