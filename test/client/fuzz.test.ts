/** Whatever comes back, a call ends: with its result or a ComandaError, soon, and with one request for a write. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { ComandaError } from "../../src/client/errors.js";
import { calls, examples, isCallable } from "./support/calls.js";
import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { jumpingClock } from "./support/clock.js";
import { fuzzedAnswer } from "./support/fuzzed-answers.js";
import { rawServer } from "./support/raw-server.js";
import { testTransport } from "./support/transport.js";

const runs = sized({ test: 80, search: 1_000, soak: 10_000 });

test(
  `${runs} answers of every kind`,
  async () => {
    let next = Buffer.alloc(0);
    const server = await rawServer((socket) => socket.end(next));
    const client = createClient({
      baseUrl: server.url,
      transport: testTransport(),
      credentials: { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") },
      rateLimiter: false,
      clock: jumpingClock(),
      maxWaitMs: 1000,
      maxRetries: 1,
      timeoutMs: 50_000,
    });
    const operation = fc.constantFrom(...Object.keys(calls).filter(isCallable));
    await fc.assert(
      fc.asyncProperty(operation, fuzzedAnswer, async (id, given) => {
        next = given;
        const before = server.requests.length;
        const outcome = await calls[id](client, examples[id]).catch((error: unknown) => error);
        const sent = server.requests.length - before;
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(ComandaError);
          if (!(outcome instanceof ComandaError)) return;
          expect(outcome.code).not.toBe("internal");
          expect(outcome.message).toMatch(/^[^\n]+\.$/s);
          expect(outcome.hint).toBeTruthy();
          expect(outcome.attempts).toBe(sent);
          if (outcome.code === "outcome_unknown" && id !== "assignDriver") expect(sent).toBe(1);
        } else {
          expect(outcome).toMatchObject({ attempts: sent });
        }
      }),
      { numRuns: runs },
    );
    // One would have ended the search.
    tellFigure({
      what: "calls that hang or throw anything else",
      of: `${runs} fuzzed answers`,
      wanted: 0,
      seen: 0,
    });
  },
  timeLimit(10 * minutes),
);
