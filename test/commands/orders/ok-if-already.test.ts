/** `--ok-if-already`: a job that runs a second time doesn't fail for what the first one did. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { readFault } from "../../../src/emulator/http/faults.js";
import { StoreDesk } from "../../support/store-desk.js";
import { parseJson, parseJsonLines } from "../../support/json.js";

let bench: StoreDesk;
beforeAll(async () => {
  bench = await StoreDesk.open();
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.emulator.service.limiter.clear();
});

const again = async (line: string) => bench.comanda(`${line} --ok-if-already --json`);

describe("an order that the service refuses as finished", () => {
  test("counts as done where the journal has the same change as its last", async () => {
    const order = await bench.order({ status: "confirmed" });
    expect((await bench.comanda(`orders finalize ${order}`)).code).toBe(0);
    const { code, stdout } = await again(`orders finalize ${order}`);
    expect(code).toBe(0);
    expect(parseJson(stdout)).toMatchObject({
      outcome: "done",
      already: true,
      code: null,
      message: "It was done before.",
      evidence: "api",
    });
    expect((await bench.comanda(`orders finalize ${order} --ok-if-already`)).stdout).toBe(
      `Order ${order} was finalized before.\n`,
    );
  });

  test("is refused as ever without the option, and where nothing here says that it was done", async () => {
    const order = await bench.order({ status: "confirmed" });
    await bench.comanda(`orders finalize ${order}`);
    expect((await bench.comanda(`orders finalize ${order}`)).code).toBe(6);
    const elsewhere = await bench.order({ status: "closed" });
    expect((await again(`orders finalize ${elsewhere}`)).code).toBe(6);
  });

  test("is refused where another change came after it, done or perhaps done", async () => {
    const order = await bench.order({ status: "confirmed" });
    await bench.comanda(`orders dispatch ${order}`);
    await bench.comanda(`orders cancel ${order} --yes`);
    expect((await again(`orders dispatch ${order}`)).code).toBe(6);
    const doubtful = await bench.order({ status: "confirmed" });
    await bench.comanda(`orders dispatch ${doubtful}`);
    bench.emulator.service.faults.set([readFault("status=503,path=/cancel,when=after,times=1")]);
    expect((await bench.comanda(`orders cancel ${doubtful} --yes`)).code).toBe(9);
    expect((await again(`orders dispatch ${doubtful}`)).code).toBe(6);
    await bench.comanda(`history settle ${doubtful} not-done`);
    expect((await again(`orders dispatch ${doubtful}`)).code).toBe(0);
  });

  test("doesn't end a run of many, and history says the same", async () => {
    const [first = "", second = ""] = await bench.orders(2);
    await bench.comanda(`orders finalize ${first}`);
    const { code, stdout } = await again(`orders finalize ${first} ${second}`);
    expect(code).toBe(0);
    expect(parseJsonLines(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ order_id: first, outcome: "done", already: true }),
        expect.not.objectContaining({ already: true }),
      ]),
    );
    const history = await bench.comanda(`history --order ${first} --json`);
    expect(parseJsonLines(history.stdout).map((row) => (row as { outcome: string }).outcome)).toEqual([
      "done",
      "done",
    ]);
  });
});
