import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { TransportError, type Transport } from "../../src/client/transport.js";
import { createTransport } from "../../src/client/http.js";
import type { Session } from "../../src/state/sessions.js";
import { manualClock } from "./support/clock.js";
import { memorySessions, type MemorySessions } from "./support/memory-sessions.js";
import { testEnvironment, testSession, testTokens } from "./support/sessions.js";
import { json, raw, startTokenService, tokens, type TokenService } from "./support/token-service.js";

const clock = manualClock();
const transport = createTransport();
let service: TokenService;
let sessions: MemorySessions;

beforeAll(async () => {
  service = await startTokenService();
});
afterAll(async () => {
  await transport.close();
  await service.stop();
});
beforeEach(() => {
  service.answer = tokens();
});
let sent = 0;
afterEach(() => {
  sent = service.requests.length;
});
const requests = () => service.requests.slice(sent);

const stored = (changes: Partial<Session> = {}): Session =>
  testSession(testEnvironment({ base_url: service.baseUrl }), changes);

function source(session: Session, changes: { transport?: Transport } = {}) {
  sessions = memorySessions(session);
  return another(session, changes);
}

/** What another process would have: the same sessions, nothing else in common. */
function another(session: Session, changes: { transport?: Transport } = {}) {
  return createAccessTokenSource({
    session,
    sessions,
    transport,
    clock: { ...clock, sleep: () => Promise.resolve() },
    pid: 77,
    ...changes,
  });
}

const left = (ms: number) => ({ tokens: testTokens({ expires_at: clock.now() + ms }) });

describe("a fresh token", () => {
  test("that is good for over 60 s is used as it is, without the lock", async () => {
    const kept = source(stored(left(60_001)));
    sessions.update = () => Promise.reject(new Error("no lock is needed"));
    expect(await kept.bearer()).toBe("access-1");
    expect(requests()).toHaveLength(0);
  });

  test("is refreshed when it has 60 s or less, at the session's own environment", async () => {
    const kept = source(stored({ ...left(60_000), api_key: "key-1" }));
    expect(await kept.bearer()).toBe("access-2");
    expect(requests()).toMatchObject([{ form: { refresh_token: "refresh-1", client_id: "app-1" } }]);
    expect(await sessions.read("centro")).toEqual({
      ...stored(),
      api_key: "key-1",
      tokens: {
        access_token: "access-2",
        refresh_token: "refresh-2",
        issued_at: clock.now(),
        expires_at: clock.now() + 7_200_000,
        scopes: ["orders", "drivers"],
        generation: 2,
      },
    });
  });

  test("is awaited for a minute, since the answer may have the only token that works", async () => {
    const waits: (number | undefined)[] = [];
    const watched: Transport = {
      send: (request) => {
        waits.push(request.timeoutMs);
        return transport.send(request);
      },
      close: () => transport.close(),
    };
    await source(stored(left(60_000)), { transport: watched }).bearer();
    expect(waits).toEqual([60_000]);
  });

  test("is refreshed once, however many ask, and the session marked meanwhile", async () => {
    const kept = source(stored());
    let during: Session | undefined;
    service.answer = (...args) => {
      during = sessions.writes.at(-1);
      tokens()(...args);
    };
    const many = [kept, ...Array.from({ length: 5 }, () => another(stored()))];
    const answers = await Promise.all(many.flatMap((each) => [each.bearer(), each.bearer()]));
    expect(new Set(answers)).toEqual(new Set(["access-2"]));
    expect(requests()).toHaveLength(1);
    expect(during).toEqual({ ...stored(), refresh_in_flight: { started_at: clock.now(), pid: 77 } });
    expect(sessions.writes.at(-1)).not.toHaveProperty("refresh_in_flight");
  });
});

describe("a refused refresh token", () => {
  test.each([
    ["invalid_grant", 400, { error: "invalid_grant" }],
    ["the service's own words", 400, { error: "invalid_request", error_description: "token revoked" }],
    ["an identifier that nobody knows", 401, { error: "installation_inactive" }],
    ["the API's own form", 401, { code: 4010, message: "Invalid token" }],
  ])("(%s) keeps and marks the session; it is not asked a second time", async (_, status, body) => {
    const kept = source(stored());
    service.answer = json(status, body);
    const said = String(Object.values(body).at(-1));
    await expect(kept.bearer()).rejects.toMatchObject({
      code: "token_refused",
      exitCode: 3,
      message: expect.stringContaining(said) as string,
      hint: "Sign in: comanda login --store centro --env sandbox",
      httpStatus: status,
    });
    expect(await sessions.read("centro")).toEqual({ ...stored(), refused_at: clock.now() });
    await expect(another(stored()).bearer()).rejects.toMatchObject({ code: "token_refused" });
    expect(requests()).toHaveLength(1);
  });

  test("adopts a newer generation that somebody wrote in spite of the lock", async () => {
    const kept = source(stored());
    const newer = stored({
      tokens: testTokens({ access_token: "access-9", generation: 9, expires_at: clock.now() + 1e6 }),
    });
    service.answer = (...args) => {
      // As a restored backup would: past the lock.
      sessions.read = () => Promise.resolve(newer);
      json(400, { error: "invalid_grant" })(...args);
    };
    expect(await kept.bearer()).toBe("access-9");
    // Nothing is written over it: all that was written is the mark of before the request.
    expect(sessions.writes).toHaveLength(1);
  });

  test("after a run that was ended in the middle says so", async () => {
    const mark = { started_at: clock.now() - 5000, pid: 12 };
    const kept = source(stored({ refresh_in_flight: mark }));
    service.answer = json(400, { error: "invalid_grant" });
    await expect(kept.bearer()).rejects.toThrow(/earlier run was ended/);
  });
});

describe("a refresh that fails", () => {
  test.each([
    ["500", raw(500, ""), "server_error", true],
    ["429", raw(429, ""), "rate_limited", false],
    ["invalid_client", json(401, { error: "invalid_client" }), "configuration", false],
    ["temporarily_unavailable", json(400, { error: "temporarily_unavailable" }), "server_error", false],
    ["403", json(403, { code: 4003, message: "no" }), "invalid_request", false],
    ["a page of something in between", raw(401, " <html>"), "unexpected_answer", true],
  ])(
    "with %s keeps the tokens; the mark stays only where the token may be spent",
    async (_, answer, code, marked) => {
      const kept = source(stored());
      service.answer = answer;
      await expect(kept.bearer()).rejects.toMatchObject({ code });
      const { refresh_in_flight: mark, ...rest } = (await sessions.read("centro")) ?? stored();
      expect(rest).toEqual(stored());
      expect(mark !== undefined).toBe(marked);
      expect(requests()).toHaveLength(1);
      // The next call tries again.
      service.answer = tokens();
      expect(await kept.bearer()).toBe("access-2");
    },
  );

  const failing = (failure: "refused" | "reset" | "timeout" | "tls", wasSent: boolean) => {
    let calls = 0;
    const broken: Transport = {
      send: () => {
        calls += 1;
        return Promise.reject(new TransportError(failure, wasSent, "no luck"));
      },
      close: () => Promise.resolve(),
    };
    return { broken, calls: () => calls };
  };

  test.each([
    ["refused", false, 3],
    ["tls", false, 1],
    ["reset", true, 1],
    ["timeout", true, 1],
  ] as const)("with %s is repeated only where nothing was sent", async (failure, wasSent, times) => {
    const { broken, calls } = failing(failure, wasSent);
    const kept = source(stored(), { transport: broken });
    await expect(kept.bearer()).rejects.toMatchObject({ code: "unreachable", exitCode: 8 });
    expect(calls()).toBe(times);
    const after = await sessions.read("centro");
    expect(after?.tokens).toEqual(testTokens());
    expect(after?.refresh_in_flight !== undefined).toBe(wasSent);
  });
});

describe("a token that the API refused", () => {
  test("is renewed by one refresh, whoever asks", async () => {
    const kept = source(stored(left(3_600_000)));
    expect(await kept.bearer()).toBe("access-1");
    const answers = await Promise.all(Array.from({ length: 20 }, () => kept.renew("access-1")));
    expect(new Set(answers)).toEqual(new Set(["access-2"]));
    expect(await kept.renew("access-1")).toBe("access-2");
    expect(await kept.bearer()).toBe("access-2");
    expect(requests()).toHaveLength(1);
  });
});
