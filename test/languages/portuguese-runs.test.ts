/** Command lines as a person in Brazil types and reads them, against the real emulator. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/library/emulator.js";
import { Machine } from "../support/program.js";

const machine = new Machine({ COMANDA_LANG: "pt-BR" });
let emulator: Emulator;
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator({ orders: 0, seed: 7 });
  env = { COMANDA_BASE_URL: emulator.baseUrl, COMANDA_ACCESS_TOKEN: emulator.signIn().accessToken };
});
afterAll(async () => {
  await emulator.close();
  machine.remove();
});

const run = (line: string) => machine.inProcess(line.split(" "), { env });

describe("a run in Portuguese", () => {
  test("says of several orders what became of each", async () => {
    const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    const { code, stdout, stderr } = await run(`orders dispatch ${id} 999999`);
    expect(code).toBe(10);
    expect(stdout).toMatch(/^PEDIDO +RESULTADO +POR QUÊ$/m);
    expect(stdout).toMatch(/^999999 +recusado +O serviço não conhece este pedido/m);
    expect(stderr).toContain("executados: 1, recusados: 1");
    expect(stderr).toContain("erro: Pedidos não alterados: 1 de 2.");
  });

  test.each([
    "summary --filter total=x",
    "summary --offline --period yesterday",
    "prefill --order-type takeout --item x",
    "orders dispatch 1 --timeout 3d",
    "driver assign 1 3 --fee x",
  ])("has no English in what it refuses: %s", async (line) => {
    const { code, stderr } = await run(line);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(/^erro: /m);
    expect(stderr).not.toMatch(/\b(the|an|with|without|years?|must|takes|is|by|not|only|allowed)\b/);
  });

  test("shows amounts as Brazil writes them", async () => {
    const { stdout } = await run("summary --period today");
    expect(stdout).toMatch(/^PEDIDOS +FATURAMENTO +TICKET MÉDIO/m);
    expect(stdout).toMatch(/ \d+,\d\d$/m);
  });
});
