/** What the requests of a write come to, all together. */
import { describe, expect, test } from "vitest";

import { concluded, noAnswer, type AttemptResult } from "../../../src/state/journal/write.js";

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
    const inTurn = attempts.map((result) => result ?? noAnswer);
    expect(inTurn.reduce<AttemptResult | undefined>(concluded, undefined)).toEqual(expected);
  });
});
