import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createAccessTokenSource, type RenewalOptions } from "../../src/auth/renewal.js";
import { TransportError, type Transport } from "../../src/client/transport.js";
import { createTransport } from "../../src/client/http.js";
import type { Session, SessionStore } from "../../src/state/sessions.js";
import { openState, temporaryFolder } from "../state/support/folder.js";
import { filesIn } from "../support/folder-state.js";
import { hinted } from "../support/rejection.js";
import { closing } from "../support/resources.js";
import { mountSmallDisk, smallDiskAvailable, type SmallDisk } from "../support/small-disk.js";
import { testEnvironment, testSession, testTokens } from "./support/sessions.js";
import { json, raw, startTokenService, tokens } from "./support/token-service.js";

/** Sleeping ends at once, and no time passes. */
const clock = { now: () => Date.parse("2026-03-01T12:00:00Z"), sleep: () => Promise.resolve() };
const transport = closing(createTransport());
let sessions: SessionStore;
const service = await startTokenService();
const { requests } = service;
beforeEach(() => {
  service.answer = tokens();
  requests.length = 0;
});

const stored = (changes: Partial<Session> = {}): Session =>
  testSession(testEnvironment({ base_url: service.baseUrl }), changes);

async function source(session: Session, changes: Partial<RenewalOptions> = {}) {
  sessions = openState(temporaryFolder()).sessions;
  await sessions.update(session.store, () => Promise.resolve(session));
  return another(session, changes);
}

/** Opens the same sessions as another process would. */
function another(session: Session, changes: Partial<RenewalOptions> = {}) {
  return createAccessTokenSource({ session, sessions, transport, clock, pid: 77, ...changes });
}

const left = (ms: number) => ({ tokens: testTokens({ expires_at: clock.now() + ms }) });

describe("an access token", () => {
  test("is used without the lease if it is valid for over 60 s", async () => {
    const usable = await source(stored(left(60_001)));
    sessions.update = () => Promise.reject(new Error("no lease is needed"));
    expect(await usable.bearer()).toBe("access-1");
    expect(requests).toHaveLength(0);
  });

  test("is refreshed in the session's environment if 60 s are left, with a timeout of a minute", async () => {
    const waits: (number | undefined)[] = [];
    const watched: Transport = {
      send: (request) => {
        waits.push(request.timeoutMs);
        return transport.send(request);
      },
      close: () => transport.close(),
    };
    const session = stored({ ...left(60_000), api_key: "key-1" });
    const tokenSource = await source(session, { transport: watched });
    let marked: Session | undefined;
    service.answer = (...args) => {
      void sessions.read("centro").then((read) => {
        marked = read;
        tokens()(...args);
      });
    };
    expect(await tokenSource.bearer()).toBe("access-2");
    expect(waits).toEqual([60_000]);
    expect(requests).toMatchObject([{ form: { refresh_token: "refresh-1", client_id: "app-1" } }]);
    const issued = { issued_at: clock.now(), expires_at: clock.now() + 7_200_000 };
    const now = { access_token: "access-2", refresh_token: "refresh-2", scopes: ["orders", "drivers"] };
    expect(marked).toEqual({ ...session, refresh_in_flight: { started_at: clock.now(), pid: 77 } });
    const renewed = { ...now, ...issued, generation: 2 };
    expect(await sessions.read("centro")).toEqual({ ...session, tokens: renewed });
  });
});

describe("a rejected refresh token", () => {
  test.each([
    ["invalid_grant", 400, { error: "invalid_grant" }],
    ["another error", 400, { error: "invalid_request", error_description: "token revoked" }],
    ["an unknown error", 401, { error: "installation_inactive" }],
    ["an error of the API", 401, { code: 4010, message: "Invalid token" }],
  ])("(%s) marks the session, and is not sent a second time", async (_, status, body) => {
    const tokenSource = await source(stored());
    service.answer = json(status, body);
    const reason = String(Object.values(body).at(-1));
    await expect(hinted(tokenSource.bearer())).rejects.toMatchObject({
      code: "token_refused",
      exitCode: 3,
      message: expect.stringContaining(reason) as string,
      hint: "Sign in: comanda login --store centro --env sandbox",
      httpStatus: status,
    });
    expect(await sessions.read("centro")).toEqual({ ...stored(), refused_at: clock.now() });
    await expect(another(stored()).bearer()).rejects.toMatchObject({ code: "token_refused" });
    expect(requests).toHaveLength(1);
  });

  test("is replaced by a newer generation that was written without the lease", async () => {
    const tokenSource = await source(stored());
    const newer = stored({
      tokens: testTokens({ access_token: "access-9", generation: 9, expires_at: clock.now() + 1e6 }),
    });
    service.answer = (...args) => {
      // A restored backup bypasses the lease.
      sessions.read = () => Promise.resolve(newer);
      json(400, { error: "invalid_grant" })(...args);
    };
    expect(await tokenSource.bearer()).toBe("access-9");
  });
});

describe("a refresh that fails", () => {
  test.each([
    ["500", raw(500, ""), "server_error", true],
    ["429", raw(429, ""), "rate_limited", false],
    ["invalid_client", json(401, { error: "invalid_client" }), "configuration", false],
    ["temporarily_unavailable", json(400, { error: "temporarily_unavailable" }), "server_error", false],
    ["403", json(403, { code: 4003, message: "no" }), "invalid_request", false],
    ["a page of a proxy", raw(401, " <html>"), "unexpected_answer", true],
  ])(
    "with %s leaves the tokens unchanged, and marked only if the token may have been used",
    async (_, answer, code, marked) => {
      const tokenSource = await source(stored());
      service.answer = answer;
      await expect(tokenSource.bearer()).rejects.toMatchObject({ code });
      const { refresh_in_flight: mark, ...rest } = (await sessions.read("centro")) ?? stored();
      expect(rest).toEqual(stored());
      expect(mark !== undefined).toBe(marked);
      expect(requests).toHaveLength(1);
      service.answer = tokens();
      expect(await tokenSource.bearer()).toBe("access-2");
    },
  );

  test.each([
    ["refused", false, 3],
    ["tls", false, 1],
    ["reset", true, 1],
    ["timeout", true, 1],
  ] as const)("with %s is repeated only if nothing was sent (sent: %s)", async (failure, wasSent, times) => {
    let calls = 0;
    const broken: Transport = {
      send: () => {
        calls += 1;
        return Promise.reject(new TransportError(failure, wasSent, "no luck"));
      },
      close: () => Promise.resolve(),
    };
    const tokenSource = await source(stored(), { transport: broken });
    await expect(tokenSource.bearer()).rejects.toMatchObject({ code: "unreachable", exitCode: 8 });
    expect(calls).toBe(times);
    const after = await sessions.read("centro");
    expect(after?.tokens).toEqual(testTokens());
    expect(after?.refresh_in_flight !== undefined).toBe(wasSent);
  });
});

describe.skipIf(!smallDiskAvailable)("a refresh on a disk of 512 KiB", () => {
  const longest = (letter: string) => letter.repeat(4096);
  let disk: SmallDisk;
  let files: SessionStore;
  beforeEach(() => {
    disk = mountSmallDisk(128);
    files = openState(path.join(disk.folder, "config")).sessions;
  });
  afterEach(() => {
    const left = filesIn(disk.folder).filter((name) => name.includes(".tmp"));
    disk.remove();
    expect(left).toEqual([]);
  });
  const store = (session: Session) => files.update(session.store, () => Promise.resolve(session));

  test("is either not sent, or its tokens are stored, with 0 to 10 free blocks", async () => {
    const seen = new Set<string>();
    for (let left = 0; left <= 10; left += 1) {
      disk.empty();
      await store(stored());
      disk.fill(left);
      const before = requests.length;
      const outcome = await another(stored(), { sessions: files })
        .bearer()
        .catch((error: unknown) => error);
      seen.add(String(outcome));
      const isDone = outcome === "access-2";
      const session = await files.read("centro");
      expect(requests.length - before, `requests with ${left} free blocks`).toBe(isDone ? 1 : 0);
      expect(session?.tokens?.access_token).toBe(isDone ? "access-2" : "access-1");
      if (isDone) continue;
      expect(outcome).toMatchObject({ code: "state_unusable", exitCode: 2 });
      expect(session).toEqual(stored());
    }
    expect(seen.has("access-2")).toBe(true);
    expect([...seen].join("\n")).toMatch(/no space left/);
  });

  test("stores the longest new tokens if the disk fills up before the response", async () => {
    const session = stored({ api_key: "key-1" });
    await store(session);
    service.answer = (...args) => {
      disk.fill();
      tokens({ access_token: longest("a"), refresh_token: longest("r") })(...args);
    };
    expect(await another(session, { sessions: files }).bearer()).toBe(longest("a"));
    const after = await files.read("centro");
    expect(after).toMatchObject({ api_key: "key-1", tokens: { refresh_token: longest("r"), generation: 2 } });
    expect(after).not.toHaveProperty("refresh_in_flight");
  });
});
