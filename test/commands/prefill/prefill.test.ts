/** `comanda prefill` in this process: how its line is read, and what it does at the emulator. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { exampleFile } from "../../../src/commands/prefill/example.js";
import { prefill, type MakeOptions } from "../../../src/commands/prefill/index.js";
import type { Emulator } from "../../../src/emulator/index.js";

import { Sink } from "../../support/context.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";
import { openMachine, run, runToFailure, type MachineOptions } from "../../support/machine.js";
import { parse } from "../../support/parse.js";
import { scanQr } from "../../support/scan-qr.js";

import { flagsOf } from "./gathering.js";
import { takeout } from "./takeout.js";

const noFlags = flagsOf({});

describe("parse", () => {
  const file = { ...takeout, flags: noFlags };

  test.each<[string, string[], object]>([
    ["a file", ["order.yaml"], { ...file, file: "order.yaml" }],
    ["stdin", ["-"], { ...file, file: "-" }],
    [
      "every flag of an order",
      [
        ...["--order-type", "delivery", "--customer-name", "Ana", "--customer-phone", "11"],
        ...["--item", "1x2:quente", "--item", "2", "--address", "city=A", "--address", "street="],
      ],
      {
        ...takeout,
        flags: flagsOf({
          orderType: "delivery",
          customerName: "Ana",
          customerPhone: "11",
          item: ["1x2:quente", "2"],
          address: ["city=A", "street="],
        }),
      },
    ],
    ["an empty item", ["--item="], { ...takeout, flags: flagsOf({ item: [""] }) }],
    [
      "what is done with the link",
      ["order.yaml", "--open", "--qr"],
      { ...file, file: "order.yaml", open: true, qr: true },
    ],
    [
      "--store and --dry-run",
      ["-", "--store", "centro", "--dry-run"],
      { ...file, file: "-", store: "centro", dryRun: true },
    ],
    ["--example", ["--example"], { kind: "example" }],
  ])("reads %s", async (_, words, options) => {
    await expect(parse(prefill, ...words)).resolves.toEqual(options);
  });

  test.each([
    ["nothing at all", [], "Which order?"],
    ["two stores", ["-", "--store", "a", "--store", "b"], "works at one store"],
  ])("refuses %s", async (_, words, message) => {
    await expect(parse(prefill, ...words)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(message) as string,
    });
  });
});

let emulator: Emulator;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "comanda-prefill-"));
  emulator = await startEmulator({ port: 0, orders: 0 });
});
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  emulator.service.log.clear();
});

const machine = ({ context = {}, ...options }: MachineOptions = {}) =>
  openMachine({
    ...options,
    context: {
      ...context,
      env: {
        COMANDA_BASE_URL: emulator.baseUrl,
        COMANDA_API_KEY: emulator.world.stores.get(501)?.apiKey ?? "",
        ...context.env,
      },
    },
  });
const received = () => emulator.world.prefilledOrders.all().at(-1);
const requests = () => emulator.service.log.entries().filter(({ path: at }) => at.startsWith("/api/"));
const inFolder = (name: string) => path.join(folder, name);
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(inFolder(name), content);
  return inFolder(name);
};
const linksOf = (id: string) => {
  const page = `${emulator.url}/menu/501/prefilled/${id}`;
  return { id, order_url: page, checkout_url: `${page}/checkout` };
};

describe("one order", () => {
  test("is sent as it was typed, and its links are told", async () => {
    const { result, stdout, stderr } = await run(prefill, await machine(), {
      ...takeout,
      flags: flagsOf({
        orderType: "delivery",
        customerName: "Ana “Z” d'Ávila",
        customerPhone: "+55 (11) 99999-0000",
        item: ["3002x2:sem cebola", "3001"],
        address: ["street=Rua = das Acácias", "postal_code=01310-100"],
      }),
    });
    const order = received();
    const links = linksOf(order?.id ?? "");
    expect(order?.body).toEqual({
      order_type: "delivery",
      customer: { name: "Ana “Z” d'Ávila", phone: "5511999990000" },
      cart: [
        { item_id: 3002, quantity: 2, observation: "sem cebola" },
        { item_id: 3001, quantity: 1 },
      ],
      delivery_address: { street: "Rua = das Acácias", postal_code: "01310100" },
    });
    expect(result).toMatchObject({ kind: "one", order: links });
    expect({ stdout, stderr }).toEqual({
      stdout: `Pre-filled order ${links.id} is made.\nOrder page:     ${links.order_url}\nCheckout page:  ${links.checkout_url}\n`,
      stderr: "",
    });
    expect(requests()).toHaveLength(1);
  });

  test("is told as JSON, CSV and Markdown", async () => {
    const json = await run(prefill, await machine({ format: "json" }), takeout);
    expect(parseJson(json.stdout)).toEqual(linksOf(received()?.id ?? ""));
    const csv = await run(prefill, await machine({ format: "csv" }), takeout);
    expect(csv.stdout).toMatch(/^id,order_url,checkout_url\r\n[0-9a-f]{18},http:\S+,http:\S+\r\n$/);
    const markdown = await run(prefill, await machine({ format: "markdown" }), takeout);
    expect(markdown.stdout).toMatch(/^\| Id +\| Order page +\| Checkout page +\|\n/);
  });

  test("is the same from YAML, JSON and a file with flags before it", async () => {
    const options = { ...takeout, flags: noFlags };
    await run(prefill, await machine(), { ...options, file: file("order.yaml", exampleFile) });
    const made = received()?.body;
    expect(made).toMatchObject({ order_type: "delivery", cart: [{ item_id: 3002 }, { item_id: 3008 }] });
    const json = file("order.json", `\ufeff${JSON.stringify(made, undefined, "\t")}`);
    const flags = flagsOf({ customerName: "Bia" });
    await run(prefill, await machine(), { ...options, file: json, flags });
    expect(received()?.body).toEqual({ ...made, customer: { ...made?.customer, name: "Bia" } });
  });

  test("with a field in extra goes out with it beside the others", async () => {
    const yaml = file("more.yaml", "order_type: takeout\nextra: {coupon: BEMVINDO10}\n");
    const sent = run(prefill, await machine(), { ...takeout, file: yaml, flags: noFlags });
    // The emulator knows no such field, where the service may.
    await expect(sent).rejects.toMatchObject({ code: "invalid_request" });
    const [call] = emulator.service.log.received();
    expect(call?.body).toEqual({ order_type: "takeout", coupon: "BEMVINDO10" });
  });

  test("is shown and not sent by a dry run", async () => {
    const { result, stdout, stderr } = await run(prefill, await machine({ format: "json" }), {
      ...takeout,
      dryRun: true,
    });
    expect(result).toMatchObject({ kind: "requests", requests: [{ method: "POST" }] });
    expect(parseJson(stdout)).toMatchObject({
      headers: { "x-api-key": "****" },
      body: '{"order_type":"takeout"}',
    });
    expect(stderr).toBe("Nothing was sent (--dry-run).\n");
    expect(requests()).toEqual([]);
  });
});

test("the example is printed", async () => {
  expect((await run(prefill, await machine(), { kind: "example" })).stdout).toBe(exampleFile);
});

describe("wrong input sends nothing and says what to do", () => {
  test.each<[string, () => Partial<MakeOptions>, string]>([
    [
      "no such file",
      () => ({ file: inFolder("no.yaml") }),
      "can't be read: there is no such file or folder.",
    ],
    ["a folder", () => ({ file: folder }), "can't be read: it is a folder."],
    [
      "a file that isn't text",
      () => ({ file: file("b", new Uint8Array([0xff, 0x00])) }),
      "isn't text in UTF-8.",
    ],
    [
      "a file that is too large",
      () => ({ file: file("l", "#".repeat(1024 * 1024 + 1)) }),
      "more than 1 MiB.",
    ],
    ["a file that goes on for ever", () => ({ file: "/dev/zero" }), "/dev/zero holds more than 1 MiB."],
    ["a file without an order", () => ({ file: file("e", "") }), "There is a fault in"],
    ["a store that isn't known", () => ({ flags: takeout.flags, store: "no" }), 'no store "no"'],
  ])("%s", async (_, given, message) => {
    const options = { ...takeout, flags: noFlags, ...given() };
    const { error, stdout } = await runToFailure(prefill, await machine(), options);
    expect({ code: error.code, stdout }).toEqual({ code: "invalid_input", stdout: "" });
    expect(error.message).toContain(message);
    expect(error.hint).toMatch(/./);
    expect(requests()).toEqual([]);
  });
});

describe("the API key", () => {
  test.each([
    [
      "there is another credential alone",
      { COMANDA_API_KEY: "", COMANDA_ACCESS_TOKEN: "t" },
      /COMANDA_API_KEY/,
    ],
    [
      "no store is known",
      { COMANDA_API_KEY: "", COMANDA_BASE_URL: "" },
      /comanda login --api-key --store <alias>/,
    ],
    ["there is an address alone", { COMANDA_API_KEY: "" }, /^Set COMANDA_API_KEY too,/],
    ["it is refused", { COMANDA_API_KEY: "another" }, /COMANDA_API_KEY/],
  ])("is asked for where %s", async (_, env, hint) => {
    const { error, stdout } = await runToFailure(prefill, await machine({ context: { env } }), takeout);
    expect(stdout).toBe("");
    expect(error.hint).toMatch(hint);
  });
});

describe("the link", () => {
  const code = (text: string) => text.split("\n").filter((line) => /^[ █▀▄]{29,}$/.test(line));
  const page = () => linksOf(received()?.id ?? "").order_url;

  test("is drawn below the links", async () => {
    const { stdout, stderr } = await run(prefill, await machine(), { ...takeout, qr: true });
    expect(stderr).toBe("");
    expect(stdout).toContain(`Order page:     ${page()}\n`);
    expect(scanQr(code(stdout), "light")).toBe(page());
  });

  test.each(["json", "csv"] as const)("is drawn on stderr where stdout is data: %s", async (format) => {
    const { stdout, stderr } = await run(prefill, await machine({ format }), { ...takeout, qr: true });
    expect(code(stdout)).toEqual([]);
    expect(scanQr(code(stderr), "light")).toBe(page());
  });

  test.each([
    ["is opened where a person is there", 80, undefined, ""],
    [
      "isn't opened where nobody is",
      undefined,
      undefined,
      "There is no terminal here, so the order page isn't opened.",
    ],
    ["is the person's to open where no browser starts", 80, new Error("no"), "No browser could be started"],
  ])("%s", async (_, columns, fault, said) => {
    const opened: string[] = [];
    const stderr = new Sink(columns);
    const openBrowser = (url: string) => {
      opened.push(url);
      return fault ? Promise.reject(fault) : Promise.resolve();
    };
    await run(prefill, await machine({ context: { stderr, openBrowser } }), { ...takeout, open: true });
    expect(opened).toEqual(columns === undefined ? [] : [page()]);
    expect(stderr.text).toContain(said);
    if (said === "") expect(stderr.text).toBe("");
  });
});
