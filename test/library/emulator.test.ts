/** What `startEmulator` and its emulator refuse, as a program without types would give it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/library/emulator.js";

/** JSON has no types either. */
function untyped(value: unknown): never {
  return JSON.parse(JSON.stringify(value)) as never;
}

describe("startEmulator", () => {
  test.each([
    ["orders", { orders: -1 }],
    ["orders", { orders: 1.5 }],
    ["orders", { orders: "many" }],
    ["orders", { orders: 100, scene: "busy" }],
    ["scene must be one of mixed, busy", { scene: "calm" }],
    ["seed", { seed: "x" }],
    ["seed", { seed: -1 }],
    ["port", { port: 65_536 }],
    ["now", { now: "today" }],
    ["now", { now: {} }],
    ["now", { now: -1 }],
    ["faults", { faults: "x" }],
    ["accessTokenSeconds", { accessTokenSeconds: 0 }],
    ["rateLimits", { rateLimits: "no" }],
    ["redirectUris.0", { redirectUris: ["foo"] }],
    ["redirectUris.0", { redirectUris: ["https://app.example/#here"] }],
    ["redirectUris", { redirectUris: "http://127.0.0.1:1/" }],
    ["ordres", { ordres: 5 }],
    ["stores.0.time_zone must be the IANA name", { stores: [{ id: 1, time_zone: "Sao Paulo" }] }],
    ["stores must have another id for each store", { stores: [{ id: 1 }, { id: 1 }] }],
  ])("names %s in %j", async (field, options) => {
    const refused = startEmulator(untyped(options));
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(field);
    await expect(refused).rejects.toThrow(/^The emulator can't be started with these options: .*[\w"]\.$/);
  });

  test.each([{ now: Number.NaN }, { now: Number.POSITIVE_INFINITY }, { seed: Number.NaN }])(
    "refuses %j",
    async (options) => expect(startEmulator(options)).rejects.toThrow(TypeError),
  );

  test("names all of them at once", async () => {
    const refused = startEmulator(untyped({ orders: -1, seed: "x" }));
    await expect(refused).rejects.toThrow(/orders must .*\. seed must |seed must .*\. orders must /);
  });

  test.each([["x"], [{ kind: "status" }], [{ reset: true, often: true }]])(
    "refuses the fault %j",
    async (fault) => {
      const refused = startEmulator(untyped({ faults: [fault] }));
      await expect(refused).rejects.toThrow(SyntaxError);
    },
  );

  test("follows a clock, such as Date itself, and takes options that are undefined", async () => {
    const emulator = await startEmulator({ orders: 1, now: Date });
    expect(Math.abs(emulator.clock.now() - Date.now())).toBeLessThan(60_000);
    await emulator.close();
    const none: Record<string, undefined> = { orders: undefined, seed: undefined, now: undefined };
    await (await startEmulator(none)).close();
  });
});

describe("an emulator", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ orders: 1, now: Date.UTC(2026, 9, 5) });
  });
  afterAll(() => emulator.close());

  test.each([
    ['has no field "foo"', { foo: 1 }],
    ["status", { status: "nearly" }],
    ["There is no store 7", { merchant_id: 7 }],
    ["must be an object", null],
  ])("says of an order that it can't be: %s", (words, fields) => {
    const create = () => emulator.createOrder(untyped(fields));
    expect(create).toThrow(RangeError);
    expect(create).toThrow(words);
    expect(create).toThrow(/^The order can't be: .*[\w"?]\.$/);
  });

  test.each(["x", Number.NaN, 1e17, "60000"])("its clock doesn't move by %j", (amount) => {
    const before = emulator.clock.now();
    expect(() => emulator.clock.advance(amount as never)).toThrow(RangeError);
    expect(() => emulator.clock.set(amount as never)).toThrow(RangeError);
    expect(emulator.clock.now() - before).toBeLessThan(60_000);
  });
});
