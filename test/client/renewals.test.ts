import { describe, expect, test } from "vitest";

import type { Credentials } from "../../src/client/options.js";
import { createClient } from "../../src/client/client.js";
import type { HttpRequest } from "../../src/client/transport.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";

/** A service that takes the tokens of `good`, and calls that are held back until they are let go. */
function service(...good: string[]) {
  const accepted = new Set(good);
  const requests: string[] = [];
  const transport = {
    send: (request: HttpRequest) => {
      const token = (request.headers["authorization"] ?? "").replace("Bearer ", "");
      requests.push(token);
      const status = accepted.has(token) ? 204 : 401;
      return Promise.resolve({ status, headers: {}, body: "" });
    },
    close: () => Promise.resolve(),
  };
  return { accepted, requests, transport };
}

function clientOf({ transport }: ReturnType<typeof service>, credentials: Credentials) {
  const options = { rateLimiter: false as const, clock: jumpingClock(), credentials, transport };
  return createClient({ baseUrl: "https://api.example", ...options });
}

/** A sign-in whose refresh token is taken once: `renew` a second time for the same token loses all. */
function rotating() {
  const asked: string[] = [];
  let serial = 1;
  return {
    asked,
    credentials: {
      bearer: () => Promise.resolve("A"),
      renew: async (refused: string) => {
        asked.push(refused);
        await new Promise((resolve) => setImmediate(resolve));
        serial += 1;
        return `token-${serial}`;
      },
    },
  };
}

describe("a token that was refused", () => {
  test("to 20 calls at once is renewed once, and all of them go on with the new one", async () => {
    const { asked, credentials } = rotating();
    const api = service("token-2");
    const client = clientOf(api, credentials);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, id) => client.dispatchOrder(String(id + 1))),
    );
    expect(results.every(({ httpStatus, attempts }) => httpStatus === 204 && attempts === 2)).toBe(true);
    expect(asked).toEqual(["A"]);
  });

  test("is not renewed again for a call that hears of it later", async () => {
    const { asked, credentials } = rotating();
    const client = clientOf(service("token-2"), credentials);
    await client.dispatchOrder("1");
    await client.dispatchOrder("2");
    expect(asked).toEqual(["A"]);
  });

  test("and whose replacement is refused later leads to one more renewal, of that one", async () => {
    const { asked, credentials } = rotating();
    const api = service("token-2");
    const client = clientOf(api, credentials);
    await client.dispatchOrder("1");
    api.accepted.clear();
    api.accepted.add("token-3");
    await Promise.all(["2", "3", "4"].map((id) => client.dispatchOrder(id)));
    expect(asked).toEqual(["A", "token-2"]);
    api.requests.length = 0;
    await client.dispatchOrder("5");
    expect(api.requests).toEqual(["A", "token-3"]);
  });

  test("can be the good one again", async () => {
    let bearer = "A";
    const asked: string[] = [];
    const renew = (refused: string) => {
      asked.push(refused);
      bearer = refused === "A" ? "B" : "A";
      return Promise.resolve(bearer);
    };
    const api = service("B");
    const client = clientOf(api, { bearer: () => Promise.resolve(bearer), renew });
    for (const good of ["B", "A", "B"]) {
      api.accepted.clear();
      api.accepted.add(good);
      await client.dispatchOrder("1");
    }
    expect(asked).toEqual(["A", "B", "A"]);
  });
});

describe("a renewal", () => {
  test("that fails, fails for all who wait for it, and the next call may try again", async () => {
    let asked = 0;
    const renew = () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("no network")) : Promise.resolve("B");
    };
    const client = clientOf(service("B"), { bearer: () => Promise.resolve("A"), renew });
    const failures = await Promise.all(["1", "2", "3"].map((id) => errorOf(client.dispatchOrder(id))));
    expect(failures.map(({ code }) => code)).toEqual(Array(3).fill("callback_failed"));
    expect(asked).toBe(1);
    expect(await client.dispatchOrder("4")).toMatchObject({ httpStatus: 204 });
    expect(asked).toBe(2);
  });

  test("that gives nothing fit to be sent is asked for again by the next call", async () => {
    const given = ["", "two\r\nlines", "A", "B"];
    const codes: string[] = [];
    const renew = () => Promise.resolve(given.shift());
    const client = clientOf(service("B"), { bearer: () => Promise.resolve("A"), renew });
    for (const id of ["1", "2", "3"]) codes.push((await errorOf(client.dispatchOrder(id))).code);
    expect(codes).toEqual(["token_refused", "not_signed_in", "token_refused"]);
    expect(await client.dispatchOrder("4")).toMatchObject({ httpStatus: 204 });
  });

  test("goes on for the others where the call that began it is aborted", async () => {
    let finish: (token: string) => void = () => undefined;
    let asked = 0;
    const renew = () => {
      asked += 1;
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const client = clientOf(service("B"), { bearer: () => Promise.resolve("A"), renew });
    const abort = new AbortController();
    const first = errorOf(client.dispatchOrder("1", { signal: abort.signal }));
    const other = client.dispatchOrder("2");
    await expect.poll(() => asked).toBe(1);
    abort.abort();
    expect(await first).toMatchObject({ code: "interrupted" });
    finish("B");
    expect(await other).toMatchObject({ httpStatus: 204, attempts: 2 });
    expect(asked).toBe(1);
  });

  test("whose only caller is gone may fail without a word", async () => {
    const abort = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const renew = () => {
      setImmediate(() => abort.abort());
      return new Promise<string>((_, reject) => (fail = reject));
    };
    const client = clientOf(service(), { bearer: () => Promise.resolve("A"), renew });
    expect(await errorOf(client.dispatchOrder("1", { signal: abort.signal }))).toMatchObject({
      code: "interrupted",
    });
    // An unhandled rejection would fail the run.
    fail(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
