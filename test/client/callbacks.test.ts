/** Functions that the program gave: what one of them throws ends the call, and is kept for the program alone. */
import { inspect } from "node:util";

import { expect, test } from "vitest";

import type { ClientOptions } from "../../src/client/options.js";
import { createClient } from "../../src/client/client.js";
import { TransportError } from "../../src/client/transport.js";
import { ComandaError } from "../../src/client/errors.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const cause = new Error("my secret");
const fail = () => {
  throw cause;
};
const reject = () => Promise.reject(cause);
const refused = new TransportError("refused", false, "nothing listens");
const nothing = () => undefined;
const acquire = () => Promise.resolve({ settle: nothing });
const bearer = () => Promise.resolve("TOKEN");

const dispatch = (steps: readonly Step[], options: Partial<ClientOptions>) =>
  createClient({
    baseUrl: "https://api.example",
    transport: scripted(...steps).transport,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer },
    ...options,
  }).dispatchOrder("1");

test.each<[string, Partial<ClientOptions>, readonly Step[], number]>([
  ["credentials.bearer", { credentials: { bearer: fail } }, [], 0],
  ["credentials.apiKey", { credentials: { apiKey: reject } }, [], 0],
  ["credentials.renew", { credentials: { bearer, renew: reject } }, [{ status: 401 }], 1],
  ["credentials.hint", { credentials: { hint: fail } }, [], 0],
  ["onWait", { onWait: fail }, [refused], 1],
  ["observer.begins", { observer: { begins: reject } }, [{}], 0],
  ["observer.sends", { observer: { sends: reject } }, [{}], 0],
  ["observer.attempted", { observer: { attempted: fail } }, [{}], 1],
  ["the same of no answer", { observer: { attempted: fail } }, [refused], 1],
  ["observer.ended", { observer: { ended: reject } }, [{}], 1],
  ["rateLimiter.acquire", { rateLimiter: { acquire: reject, blocked: nothing } }, [], 0],
  [
    "settle",
    { rateLimiter: { acquire: () => Promise.resolve({ settle: fail }), blocked: nothing } },
    [{}],
    1,
  ],
  ["rateLimiter.blocked", { rateLimiter: { acquire, blocked: fail } }, [{ status: 429 }], 1],
])("what is thrown by %s", async (_, options, steps, attempts) => {
  const error = await errorOf(dispatch(steps, options));
  expect(error).toMatchObject({ code: "callback_failed", exitCode: 1, attempts, cause });
  expect(error.message).toBe("A function that the program gave failed, or comanda itself.");
  const printed = [error.message, error.hint, error.stack, JSON.stringify(error)];
  expect(printed.join("\n")).not.toContain("secret");
  expect(inspect(error)).toContain("secret");
});

test("what is thrown by the transport is like a connection that was lost", async () => {
  const error = await errorOf(dispatch([cause], {}));
  expect(error).toMatchObject({ code: "outcome_unknown", evidence: "nobody", attempts: 1, cause });
});

test("after a write was answered: what the answer was, and to look before repeating it", async () => {
  const error = await errorOf(dispatch([{ status: 204 }], { observer: { attempted: fail } }));
  expect(error).toMatchObject({ httpStatus: 204, outcome: "unknown" });
  expect(error.hint).toContain("before you repeat it");
});

test("a ComandaError is handed on as it is", async () => {
  const own = () => {
    throw new ComandaError("terminated", "Ended.");
  };
  const error = await errorOf(dispatch([{}], { observer: { attempted: own } }));
  expect(error).toMatchObject({ code: "terminated", attempts: 1 });
});
