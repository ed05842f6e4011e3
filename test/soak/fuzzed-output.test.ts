/** Runs commands against fuzzed responses, and checks their exit codes, their output and what they store (section 5.3, rule 5). */
import { readFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { jumpingClock } from "../client/support/clock.js";
import { fuzzedAnswer, secret } from "../client/support/fuzzed-answers.js";
import { rawServer } from "../client/support/raw-server.js";
import { filesIn } from "../support/folder-state.js";
import { Machine } from "../support/program.js";
import { sized, tellFigure } from "../support/soak.js";

const runs = sized({ test: 24, search: 80, soak: 10_000 });

const lines = [
  "orders dispatch 1",
  "orders cancel 1 --reason late",
  "orders finalize 1 2",
  "driver assign 1 11 --fee 7.50",
  "summary --from 2026-10-01 --to 2026-10-02 --fresh",
  "grouped --by driver_id --from 2026-10-01 --to 2026-10-02 --fresh",
  "prefill --order-type takeout",
  "api GET /api/partner/v1/orders/1",
];
const flags = fc.subarray(["--json", "--debug", "--quiet"]);
const line = fc.record({ words: fc.constantFrom(...lines), flags });

/** C0 except tab and line feed, DEL, C1, and the bidirectional controls. */
// eslint-disable-next-line no-control-regex -- the test searches for them
const rawControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const stackTrace = /^\s+at .*:\d+:\d+/m;

test(`${runs} fuzzed responses cause no stack trace, hang, raw control character, repeated write, or leaked secret`, async () => {
  const machine = new Machine();
  let next = Buffer.alloc(0);
  const server = await rawServer((socket) => socket.end(next));
  const of = `${runs} fuzzed answers, program`;
  let [received, faults] = [0, 0];
  await fc
    .assert(
      fc.asyncProperty(line, fuzzedAnswer, async ({ words, flags }, answer) => {
        next = answer;
        const args = `${words} --max-wait 0 --timeout 2s`.split(" ").concat(flags);
        const credential = words.startsWith("prefill") ? "COMANDA_API_KEY" : "COMANDA_ACCESS_TOKEN";
        const env = { COMANDA_BASE_URL: server.url, [credential]: secret, COMANDA_RATE_LIMITS: "off" };
        const before = server.requests.length;
        const { code, stdout, stderr } = await machine.inProcess(args, { env, clock: jumpingClock() });
        const requests = server.requests.slice(before);
        received += requests.filter((request) => request.includes(secret)).length;
        // Without a terminal, `api` prints the body unchanged for other programs.
        const shown = words.startsWith("api") ? stderr : stdout + stderr;
        const found = Object.entries({
          "a stack trace": stackTrace.test(stderr),
          "a raw control character": rawControls.test(shown),
          "an internal error": code === 1,
          // Each response proves that the request arrived, so these must not be sent again.
          "a repeat": /^(?:orders \w+ 1( --|$)|prefill)/.test(words) && requests.length > 1,
          "a planted secret": shown.includes(secret),
        }).filter(([, isFound]) => isFound);
        faults += found.length;
        expect({ found, shown }).toEqual({ found: [], shown });
      }),
      { numRuns: runs },
    )
    .finally(() => tellFigure({ what: "faults of the output", of, wanted: 0, seen: faults }));
  // The service received the secret, so it could have leaked.
  expect(received).toBeGreaterThan(runs / 2);
  const leaks = filesIn(machine.folder).filter((name) =>
    (name + readFileSync(path.join(machine.folder, name), "latin1")).includes(secret),
  );
  tellFigure({ what: "planted secrets stored", of, wanted: 0, seen: leaks.length });
  expect(leaks).toEqual([]);
});
