/** A process that was stopped in the middle of a refresh, for so long that its lease ended and another took it. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { createTransport } from "../../src/client/http.js";
import { systemClock } from "../../src/client/clock.js";
import type { Session, SessionStore, SessionWrite, Tokens } from "../../src/state/sessions.js";
import { LeaseLost, type Lease, type WithLease } from "../../src/state/leases.js";
import { sessionsUnder, type MemorySessions } from "./support/memory-sessions.js";
import { testEnvironment, testSession, testTokens } from "./support/sessions.js";
import { startTokenService, type TokenService } from "./support/token-service.js";

const transport = createTransport();
/** How many leases were taken, and how many of them are lost by now. */
let leases = { taken: 0, lost: 0 };
let sessions: MemorySessions;
let service: TokenService;
let first: Session;

beforeEach(async () => {
  service = await startTokenService();
  leases = { taken: 0, lost: 0 };
  first = testSession(testEnvironment({ base_url: service.baseUrl }));
  sessions = sessionsUnder(withLease, [first]);
});
afterEach(async () => {
  await service.stop();
});

/** Work that lost its lease begins anew, three times at most. */
const withLease: WithLease = async (name, work) => {
  for (let turn = 1; ; turn += 1) {
    const taken = (leases.taken += 1);
    const assertHeld = () => {
      if (taken <= leases.lost) throw new LeaseLost(name);
    };
    const lease: Lease = { assertHeld, leftMs: () => 90_000, keep: () => Promise.resolve() };
    try {
      return await work(lease);
    } catch (error) {
      if (!(error instanceof LeaseLost) || turn === 3) throw error;
    }
  }
};

/** Another process takes the lease, may change the session, and is gone. */
function takeOver(changes: Partial<Session> = {}) {
  leases.lost = leases.taken;
  sessions.put({ ...first, ...changes });
}

const newer: Tokens = testTokens({
  access_token: "theirs",
  refresh_token: "refresh-theirs",
  expires_at: Date.now() + 3_600_000,
  generation: 2,
});

/** What `happens` comes once, after the session was marked and before the service is asked. */
function stoppedBeforeAsking(happens: () => void): SessionStore {
  let stopped = false;
  return {
    ...sessions,
    update: (store, change) =>
      sessions.update(store, (current, write, lease) => {
        const writeAndStop: SessionWrite = async (next, room) => {
          await write(next, room);
          if (!stopped) happens();
          stopped = true;
        };
        return change(current, writeAndStop, lease);
      }),
  };
}

/** What `happens` comes once, while the service answers. */
function stoppedWhileAsking(happens: () => void) {
  const { answer } = service;
  service.answer = (response, request) => {
    if (service.requests.length === 1) happens();
    answer(response, request);
  };
}

const fresh = (store: SessionStore = sessions) =>
  createAccessTokenSource({
    session: first,
    sessions: store,
    transport,
    clock: systemClock,
    pid: 77,
  }).bearer();

const spent = () => service.requests.map(({ form }) => form["refresh_token"]);

test("woken before it asked: it takes the lease again, and asks once", async () => {
  expect(await fresh(stoppedBeforeAsking(() => takeOver()))).toBe("access-2");
  expect(spent()).toEqual(["refresh-1"]);
});

test("woken before it asked, when the other has refreshed: it asks for nothing and takes what is there", async () => {
  expect(await fresh(stoppedBeforeAsking(() => takeOver({ tokens: newer })))).toBe("theirs");
  expect(spent()).toEqual([]);
  expect((await sessions.read("centro"))?.tokens).toEqual(newer);
});

test("woken after it asked: what it was given is kept, and the token not spent twice", async () => {
  stoppedWhileAsking(() => takeOver());
  expect(await fresh()).toBe("access-2");
  expect(spent()).toEqual(["refresh-1"]);
  expect((await sessions.read("centro"))?.tokens).toMatchObject({
    refresh_token: "refresh-2",
    generation: 2,
  });
});

test("woken after it asked, when the other was refused for that: what it was given is kept", async () => {
  stoppedWhileAsking(() => takeOver({ refused_at: 5 }));
  expect(await fresh()).toBe("access-2");
  expect(spent()).toEqual(["refresh-1"]);
  expect(await sessions.read("centro")).not.toHaveProperty("refused_at");
});

test("woken after it asked, when there is a newer sign-in: that one stays", async () => {
  stoppedWhileAsking(() => takeOver({ tokens: newer }));
  expect(await fresh()).toBe("theirs");
  expect(spent()).toEqual(["refresh-1"]);
  expect((await sessions.read("centro"))?.tokens).toEqual(newer);
});

test("with every turn taken away it ends with exit code 8, and the service was never asked", async () => {
  let turns = 0;
  const store: SessionStore = {
    ...sessions,
    update: (name, change) =>
      sessions.update(name, (current, write, lease) => {
        turns += 1;
        takeOver();
        return change(current, write, lease);
      }),
  };
  await expect(fresh(store)).rejects.toMatchObject({ code: "lock_timeout", exitCode: 8 });
  expect(turns).toBe(3);
  expect(spent()).toEqual([]);
  expect((await sessions.read("centro"))?.tokens).toEqual(first.tokens);
});
