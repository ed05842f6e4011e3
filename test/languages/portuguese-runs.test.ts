/** Command lines as a person in Brazil types and reads them, against the real emulator. */
import { PassThrough } from "node:stream";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { useLanguage } from "../../src/cli/program.js";
import { askYesNo } from "../../src/terminal/prompt.js";
import type { Emulator } from "../../src/public/emulator.js";
import { startPublicEmulator } from "../support/emulators.js";
import { Machine } from "../support/program.js";

const machine = new Machine({ COMANDA_LANG: "pt-BR" });
let emulator: Emulator;
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startPublicEmulator({ orders: 0, seed: 7 });
  env = { COMANDA_BASE_URL: emulator.baseUrl, COMANDA_ACCESS_TOKEN: emulator.signIn().accessToken };
});
afterAll(async () => {
  await emulator.close();
  machine.remove();
});

const run = (line: string) => machine.inProcess(line.split(" "), { env });

describe("a run in Portuguese", () => {
  test("says what was done", async () => {
    const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    expect(await run(`orders dispatch ${id}`)).toMatchObject({
      code: 0,
      stdout: `Pedido ${id} despachado.\n`,
    });
  });

  test("says of several orders what became of each", async () => {
    const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    const { code, stdout, stderr } = await run(`orders dispatch ${id} 999999`);
    expect(code).toBe(10);
    expect(stdout).toMatch(/^PEDIDO +AÇÃO +RESULTADO/);
    expect(stdout).toMatch(new RegExp(`${id} +despachar +feito`));
    expect(stderr).toContain("feitos: 1, recusados: 1");
    expect(stderr).toContain("erro: 1 de 2 pedidos não foram feitos.");
  });

  test("says what is wrong, and what to do", async () => {
    expect(await run("summary --period mes-pasado")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^erro: Não existe o período "mes-pasado"\. Você quis dizer "mês-passado"\?\n/,
      ) as string,
    });
  });

  test.each([
    ["exit-codes", "Códigos de saída\n"],
    ["environment", "Variáveis de ambiente\n"],
  ])("explains %s", async (topic, heading) => {
    const { stdout } = await run(`help ${topic}`);
    expect(stdout.startsWith(heading)).toBe(true);
  });

  test("is the same in JSON as in English", async () => {
    const line = ["orders", "dispatch", "999999", "--json"];
    const [portuguese, english] = [
      await machine.inProcess(line, { env }),
      await machine.inProcess(line, { env: { ...env, COMANDA_LANG: "en" } }),
    ];
    expect(portuguese).toEqual(english);
  });

  test("shows amounts as Brazil writes them", async () => {
    const { stdout } = await run("summary --period hoje --currency BRL");
    expect(stdout).toMatch(/^PEDIDOS +FATURAMENTO +TICKET MÉDIO/);
    expect(stdout).toMatch(/R\$\s\d+,\d\d/);
  });
});

describe("a question in Portuguese", () => {
  const answered = async (answer: string) => {
    await useLanguage("pt-BR");
    const input = new PassThrough();
    const streams = { input, output: new PassThrough(), signal: new AbortController().signal };
    const asked = askYesNo("Cancelar 2 pedidos?", streams, false);
    input.write(`${answer}\n`);
    return asked;
  };

  test.each(["s", "S", "sim", "y", "yes"])("%s is yes", async (answer) => {
    await expect(answered(answer)).resolves.toBe(true);
  });

  test.each(["", "n", "não", "talvez", "simples"])('"%s" is no', async (answer) => {
    await expect(answered(answer)).resolves.toBe(false);
  });
});
