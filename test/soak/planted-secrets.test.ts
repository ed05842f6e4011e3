/** Tests section 5.3, rule 5, with fuzzed responses that quote planted secrets in every place. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { filesIn } from "../support/folder-state.js";
import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";
import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";

const runs = sized({ test: 25, soak: 1_000 });
const secret = `planted_${randomBytes(12).toString("hex")}`;

const machine = new Machine();
const stub = await startStub();

/** Texts in which a service may quote the secret. */
const quoted = fc.constantFrom(
  secret,
  `Bearer ${secret}`,
  `"${secret}"`,
  `\u001b[31m${secret}\u001b[0m`,
  `token ${secret} was refused, ${secret}!`,
  encodeURIComponent(secret),
);
const body = fc.oneof(
  quoted,
  quoted.map((text) => `<html><body>${text}</body></html>`),
  quoted.map((text) => `{"code": 4010, "message": "cut short, ${text}`),
  fc
    .record({ code: fc.constantFrom(4000, 4002, 4010, 4041, "4002", 1), message: quoted, details: quoted })
    .map((error) => JSON.stringify(error)),
  quoted.map((text) => JSON.stringify([{ [text]: text }])),
);
const answer = fc.record({
  // Without 429, after which the command would wait.
  status: fc.constantFrom(200, 204, 302, 400, 401, 403, 404, 409, 418, 422, 500, 503),
  body,
  header: quoted.map((text) => encodeURIComponent(text)),
});
const line = fc.record({
  command: fc.constantFrom(
    "orders dispatch 1",
    "orders cancel 1 --reason late",
    "orders finalize 1 2 3",
    "orders dispatch 1 --dry-run",
  ),
  flags: fc.subarray(["--json", "--debug", "--quiet"]),
  variable: fc.constantFrom("COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"),
});

test(
  `${runs} runs with fuzzed responses never print or store the secret`,
  { timeout: timeLimit(20 * minutes) },
  async () => {
    let [seen, hits] = [0, 0];
    await fc
      .assert(
        fc.asyncProperty(line, answer, async ({ command, flags, variable }, { status, body, header }) => {
          stub.behave({
            status,
            headers: { "x-quoted": header, location: `/elsewhere?token=${header}` },
            ...(status !== 204 && { body }),
          });
          const args = [...command.split(" "), ...flags];
          const env = { COMANDA_BASE_URL: stub.url, [variable]: secret, COMANDA_RATE_LIMITS: "off" };
          // Outside of a soak, test/acceptance/secrets.test.ts checks separate processes.
          const { stdout, stderr, code } = await (soak
            ? machine.run(args, { env })
            : machine.inProcess(args, { env }));
          seen += stub.requests.filter(({ headers }) => JSON.stringify(headers).includes(secret)).length;
          hits += Number((stdout + stderr).includes(secret));
          expect(stdout + stderr).not.toContain(secret);
          expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
          expect(code).not.toBe(1);
        }),
        { numRuns: runs },
      )
      .finally(() =>
        tellFigure({ what: "planted secrets printed", of: `${runs} fuzzed answers`, wanted: 0, seen: hits }),
      );
    // The service received the secret, so it could have leaked.
    expect(seen).toBeGreaterThan(runs / 2);
    const leaks = filesIn(machine.folder).filter((name) =>
      (name + readFileSync(path.join(machine.folder, name), "latin1")).includes(secret),
    );
    tellFigure({
      what: "planted secrets stored",
      of: `${runs} fuzzed answers`,
      wanted: 0,
      seen: leaks.length,
    });
    expect(leaks).toEqual([]);
  },
);
