/** Functions that the program gave: an error of theirs is named as theirs, and kept for the program alone. */
import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import type { ClientOptions } from "../../src/client/call.js";
import { createClient } from "../../src/client/client.js";
import { TransportError } from "../../src/client/transport.js";
import { ComandaError } from "../../src/client/errors.js";
import { renderError, renderErrorJson } from "../../src/cli/output.js";
import { plainStyle } from "../../src/cli/text.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

const cause = new Error("my secret");
const fail = () => {
  throw cause;
};
const reject = () => Promise.reject(cause);
const refused = new TransportError("refused", false, "nothing listens");

function clientOf({ transport }: ReturnType<typeof scripted>, options: Partial<ClientOptions>) {
  return createClient({
    baseUrl: "https://api.example",
    transport,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    ...options,
  });
}

const limiter = (settle: () => void) => ({
  acquire: () => Promise.resolve({ settle }),
  blocked: () => undefined,
});

type Thrown = readonly [string, Partial<ClientOptions>, readonly (object | Error)[], number];
const thrown: readonly Thrown[] = [
  ["credentials.bearer", { credentials: { bearer: reject } }, [], 0],
  ["credentials.bearer", { credentials: { bearer: fail } }, [], 0],
  ["credentials.apiKey", { credentials: { apiKey: reject } }, [], 0],
  [
    "credentials.renew",
    { credentials: { bearer: () => Promise.resolve("T"), renew: reject } },
    [{ status: 401 }],
    1,
  ],
  ["credentials.hint", { credentials: { hint: fail } }, [], 0],
  ["onWait", { onWait: fail }, [refused], 1],
  ["observer.attempted", { observer: { attempted: fail } }, [{}], 1],
  ["observer.attempted", { observer: { attempted: fail } }, [refused], 1],
  ["rateLimiter.acquire", { rateLimiter: { ...limiter(() => undefined), acquire: reject } }, [], 0],
  ["settle of the rate limiter's permit", { rateLimiter: limiter(fail) }, [{}], 1],
  [
    "rateLimiter.blocked",
    { rateLimiter: { ...limiter(() => undefined), blocked: fail } },
    [{ status: 429 }],
    1,
  ],
];

describe("what is thrown by", () => {
  test.each([...thrown])("%s", async (_, options, steps, attempts) => {
    const error = await errorOf(clientOf(scripted(...steps), options).dispatchOrder("1"));
    expect(error).toMatchObject({ code: "callback_failed", exitCode: 1, attempts });
    expect(error.message).toBe("A function that the program gave failed, or comanda itself.");
    expect(error.hint).not.toContain("--debug");
    expect(error.cause).toBe(cause);
    expect(Object.keys(error)).not.toContain("cause");
    const printed = [error.message, error.hint, error.stack, JSON.stringify(error), renderErrorJson(error)];
    expect([...printed, renderError(error, plainStyle)].join("\n")).not.toContain("secret");
    expect(inspect(error)).toContain("secret");
  });

  test("observer.attempted after a write was answered: what the answer was, and to look before repeating it", async () => {
    const observer = { attempted: fail };
    const error = await errorOf(clientOf(scripted({ status: 204 }), { observer }).dispatchOrder("1"));
    expect(error).toMatchObject({ httpStatus: 204, outcome: "unknown" });
    expect(error.hint).toContain("before you repeat it");
  });

  test("transport.send: like a connection that was lost", async () => {
    const error = await errorOf(clientOf(scripted(cause), {}).dispatchOrder("1"));
    expect(error).toMatchObject({ code: "outcome_unknown", evidence: "nobody", attempts: 1, cause });
  });

  test("any of them that is a ComandaError is handed on as it is", async () => {
    const own = () => {
      throw new ComandaError("terminated", "Ended.");
    };
    expect(
      await errorOf(clientOf(scripted({}), { observer: { attempted: own } }).dispatchOrder("1")),
    ).toMatchObject({
      code: "terminated",
      attempts: 1,
    });
  });
});
