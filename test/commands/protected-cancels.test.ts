/** At a store that is protected no cancel goes out unasked, however it is spelled: not one byte. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createClient, type AnyRequest, type Client } from "../../src/public/index.js";
import { fileSession, type FileSessionOptions } from "../../src/public/node.js";
import { Desk } from "../support/desk.js";
import { sized } from "../support/soak.js";

/** Counts what comes, and answers each request with a 204. */
let server: Server;
let received = 0;
let baseUrl = "";
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("data", (bytes) => {
      received += bytes.length;
      socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    });
    socket.on("error", () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

let desk: Desk;
beforeEach(async () => {
  desk = new Desk();
  // A program has the time of day, and no desk's.
  const expires_at = Math.max(Date.now(), desk.clock.now()) + 7_200_000;
  await desk.signIn("centro", baseUrl, "at_1", (session) => ({
    ...session,
    tokens: { access_token: "at_1", generation: 1, expires_at },
  }));
  received = 0;
});
afterEach(() => desk.remove());

/** A client as a program makes it that runs on the same machine. */
async function programOf(options: FileSessionOptions): Promise<Client> {
  const { clientOptions } = await fileSession({ folder: desk.folder, env: {}, ...options });
  return createClient({ ...clientOptions, rateLimiter: false });
}

const protect = () => desk.run("stores protect centro");
const refusal = "centro is protected: to cancel there takes --confirm centro.";

/** One letter as a server may read it too. */
function spelled(letter: string): fc.Arbitrary<string> {
  const hex = letter.charCodeAt(0).toString(16);
  const encoded = `%${hex}`;
  const letters = [letter, letter.toUpperCase(), encoded, encoded.toUpperCase(), `%25${hex}`, `%2525${hex}`];
  return fc.oneof({ arbitrary: fc.constant(letter), weight: 6 }, fc.constantFrom(...letters));
}

const word = (text: string) => fc.tuple(...Array.from(text, spelled)).map((letters) => letters.join(""));
const slash = fc.oneof(
  { arbitrary: fc.constant("/"), weight: 6 },
  fc.constantFrom(
    "//",
    "///",
    "%2F",
    "%2f",
    "%5C",
    "%252F",
    ";x=1/",
    "%20/",
    "/%20",
    "/%252e/",
    "/x/%252e%252e/",
  ),
);
const tail = fc.oneof(
  { arbitrary: fc.constant(""), weight: 3 },
  fc.constantFrom(
    "/",
    "//",
    "?",
    "?x=1",
    "?x=/dispatch",
    "%3Fx=1",
    "%23x",
    ".",
    "..",
    ".json",
    "%2Ejson",
    "%20",
    "%00",
    ";a=b",
  ),
);
const start = fc.constantFrom("/", "", "//", "{base}/", "{base}//", "{BASE}/");
const cancelPath = fc
  .tuple(
    start,
    word("api"),
    ...["partner", "v1", "orders", "7", "cancel"].flatMap((each) => [slash, word(each)]),
    tail,
  )
  .map((parts) => parts.join(""))
  .map((path) => path.replace("{base}", baseUrl).replace("{BASE}", baseUrl.toUpperCase()));
const method = fc.constantFrom("POST", "post", "Post", "PUT", "patch", "DELETE", "GET");

describe("at a protected store", () => {
  beforeEach(protect);

  test("a cancel by `api` sends nothing, however its path and method are spelled", async () => {
    await fc.assert(
      fc.asyncProperty(method, cancelPath, async (verb, path) => {
        const { code, error } = await desk.run(["api", verb, path]);
        expect([code, received]).toEqual([2, 0]);
        // What no URL may be is refused for that.
        expect(error?.message).toMatch(/^centro is protected|^The path must/);
      }),
      { numRuns: sized({ test: 25, search: 1_000, soak: 50_000 }), seed: 20 },
    );
  });

  test.each([
    ["api", "POST", "/api/partner/v1/orders/7/cancel#x"],
    ["api", "POST", "//127.0.0.1/api/partner/v1/orders/7/cancel"],
    ["orders", "cancel", "7"],
    ["orders", "cancel", "7", "8", "--yes"],
    ["orders", "cancel", "7"],
    ["orders", "dispatch", "7/cancel?"],
    ["orders", "finalize", "7/cancel#", "8/cancel?x"],
    ["driver", "assign", "7/cancel?", "1"],
  ])("%s %s %s sends nothing", async (...line) => {
    await desk.run(line);
    expect(received).toBe(0);
  });

  test.each(["X-Original-URL", "x-rewrite-url", "X-Forwarded-Path"])(
    "a cancel in the header %s sends nothing: a proxy may take the path from there",
    async (header) => {
      const line = [
        "api",
        "GET",
        "/api/partner/v1/orders",
        "-H",
        `${header}: /api/partner/v1/orders/7/cancel`,
      ];
      const { code, error } = await desk.run(line);
      expect([code, received]).toEqual([2, 0]);
      expect(error?.message).toBe(refusal);
    },
  );

  describe("a program with its file session", () => {
    let client: Client;
    beforeEach(async () => {
      client = await programOf({});
    });
    afterEach(() => client.close());

    test("sends nothing by `request`, however the path is spelled", async () => {
      const verb = fc.constantFrom<AnyRequest["method"]>("POST", "PUT", "PATCH", "DELETE", "GET");
      await fc.assert(
        fc.asyncProperty(verb, cancelPath, async (of, path) => {
          await expect(client.request({ method: of, path })).rejects.toMatchObject({
            message: expect.stringMatching(/^centro is protected|^The path must/) as string,
          });
          expect(received).toBe(0);
        }),
        { numRuns: sized({ test: 25, search: 1_000, soak: 50_000 }), seed: 21 },
      );
    });

    test("sends nothing by `cancelOrder`", async () => {
      const refused = { code: "usage", message: expect.stringContaining("centro is protected") as string };
      await expect(client.cancelOrder("7")).rejects.toMatchObject(refused);
      expect(received).toBe(0);
    });

    test("cancels with the store's alias, as its user says", async () => {
      await expect(programOf({ confirm: "norte" })).rejects.toMatchObject({ code: "usage" });
      const confirmed = await programOf({ confirm: "centro" });
      await confirmed.cancelOrder("7");
      await confirmed.close();
      expect(received).toBeGreaterThan(0);
    });

    test("sends what is no cancel, and cancels again once the protection is gone", async () => {
      await client.dispatchOrder("7");
      expect(received).toBeGreaterThan(0);
      await desk.run("stores unprotect centro");
      await client.cancelOrder("7");
    });
  });

  test("by its absolute address an order is canceled with the store's alias alone", async () => {
    const line = ["api", "POST", `${baseUrl}/api/partner/v1/orders/1/cancel`];
    expect((await desk.run(line)).error?.message).toBe(refusal);
    expect((await desk.run([...line, "--confirm", "norte"])).code).toBe(2);
    expect(received).toBe(0);
    expect((await desk.run([...line, "--confirm", "centro"])).code).toBe(0);
    expect(received).toBeGreaterThan(0);
    expect((await desk.run("history --json")).stdout).toContain('"operation":"cancelOrder"');
  });
});

test("elsewhere the same lines send it", async () => {
  await fc.assert(
    fc.asyncProperty(cancelPath, async (path) => {
      received = 0;
      const { error } = await desk.run(["api", "POST", path]);
      if (error) expect(error.message).toMatch(/^The path must/);
      else expect(received).toBeGreaterThan(0);
    }),
    { numRuns: 20, seed: 20 },
  );
});
