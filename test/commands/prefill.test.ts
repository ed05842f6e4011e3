/** `comanda prefill` against the emulator, and how `--qr` and `--open` use its link. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { webLink } from "../../src/commands/prefill.js";
import { Bench, containing, matching, parseJson } from "../support/bench.js";
import { scanQr } from "../support/scan-qr.js";
import { startStub } from "../support/stub-service.js";

const call = "POST /api/partner/v1/orders/prefilled_order";
/** The test run's working folder; these command lines run in the folder of their files. */
const home = process.cwd();
const bench = await Bench.open();
await bench.setEnvironment();
const line = "login --api-key --store centro --env test";
expect(await bench.inProcess(line, { input: bench.keyOf() })).toMatchObject({ code: 0 });
process.chdir(bench.machine.folder);
afterAll(() => {
  process.chdir(home);
});
beforeEach(() => bench.forgetRequests());

const received = () => bench.emulator.world.prefilledOrders.at(-1);
/** Writes a file to the folder in which the program runs. */
const file = (name: string, content: string): string => {
  writeFileSync(path.join(bench.machine.folder, name), content);
  return name;
};

describe("a pre-filled order", () => {
  test("is created from options, as they were typed, and its links are printed", async () => {
    const { code, stdout, stderr } = await bench.inProcess([
      ...["prefill", "--order-type", "delivery", "--customer-name", "Ana “Z” d'Ávila"],
      ...["--customer-phone", "5511999990000", "--item", "3002x2:sem cebola", "--item", "3001"],
      ...["--address", "street=Rua = das Acácias", "--address", "postal_code=01310100"],
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const order = received();
    const page = `${bench.emulator.url}/menu/501/prefilled/${order?.id ?? ""}`;
    expect(stdout).toBe(
      `Created the pre-filled order ${order?.id ?? ""}.\nOrder page:     ${page}\nCheckout page:  ${page}/checkout\n`,
    );
    expect(order?.body).toEqual({
      order_type: "delivery",
      customer: { name: "Ana “Z” d'Ávila", phone: "5511999990000" },
      cart: [
        { item_id: 3002, quantity: 2, observation: "sem cebola" },
        { item_id: 3001, quantity: 1 },
      ],
      delivery_address: { street: "Rua = das Acácias", postal_code: "01310100" },
    });
    expect(bench.requests()).toEqual([call]);
    expect((await fetch(page)).status).toBe(200);
  });

  test("is created from the example, which is the same in YAML, JSON and on stdin", async () => {
    const example = await bench.inProcess("prefill --example");
    expect({ code: example.code, stderr: example.stderr }).toEqual({ code: 0, stderr: "" });
    const yaml = file("example.yaml", example.stdout);
    expect((await bench.inProcess(["prefill", yaml])).code).toBe(0);
    const made = received()?.body;
    expect(made).toMatchObject({ order_type: "delivery", cart: [{ item_id: 3002 }, { item_id: 3008 }] });

    const json = file("example.json", `\ufeff${JSON.stringify(made, undefined, "\t")}`);
    expect(await bench.inProcess(["prefill", json])).toMatchObject({ code: 0, stderr: "" });
    expect(received()?.body).toEqual(made);
    const stdin = await bench.inProcess("prefill -", { input: example.stdout });
    expect(stdin).toMatchObject({ code: 0, stderr: "" });
    expect(received()?.body).toEqual(made);
    expect(bench.requests()).toEqual([call, call, call]);

    // In Portuguese, only comments and notes differ.
    const portuguese = await bench.inProcess("prefill --example", { env: { COMANDA_LANG: "pt-BR" } });
    expect(portuguese.stdout).toMatch(/^# Só order_type é obrigatório/m);
    await bench.inProcess("prefill -", { input: portuguese.stdout });
    const withoutNotes = (body: unknown) =>
      JSON.stringify(body).replaceAll(/"(?:observation|reference)":"[^"]*"/g, "");
    expect(withoutNotes(received()?.body)).toBe(withoutNotes(made));
  });
});

test("options override a file: customer and address by field, items as a whole", async () => {
  const yaml = file(
    "over.yaml",
    "order_type: delivery\ncustomer: {name: Ana, phone: '11'}\ncart: [{item_id: 3001}]\ndelivery_address: {city: Recife, number: '1'}\n",
  );
  const items = ["--item", "3002X3: quente:x2 ", "--item", "3001:"];
  const address = ["--address", "number=7", "--address", "complement=a=b"];
  const ran = await bench.inProcess(["prefill", yaml, "--customer-name", "Bia", ...items, ...address]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(received()?.body).toEqual({
    order_type: "delivery",
    customer: { name: "Bia", phone: "11" },
    cart: [
      { item_id: 3002, quantity: 3, observation: "quente:x2" },
      { item_id: 3001, quantity: 1 },
    ],
    delivery_address: { city: "Recife", number: "7", complement: "a=b" },
  });
});

/** Each level expands to nine times the previous one. */
const aliases = `order_type: takeout\na0: &a0 [1]\n${Array.from(
  { length: 9 },
  (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]\n`,
).join("")}`;

describe("prefill sends nothing and prints a hint for", () => {
  const notYaml = "stdin isn't valid YAML or JSON.";
  const takeout = "order_type: takeout\n";

  test.each<[what: string, line: string, message: string, input?: string]>([
    ["nothing at all", "prefill", "order_type is required"],
    ["no such file", "prefill no.yaml", "no.yaml can't be read: the file or folder doesn't exist."],
    ["an item that isn't a number", "prefill --order-type takeout --item x", "For example: --item 3002x2"],
    ["a repeated field", "prefill --address street=A --address street=B", '"street" is repeated'],
    ["an unknown field", "prefill --order-type delivery --address stret=A", 'did you mean "street"'],
    ["deeply nested brackets", "prefill -", "The first mistake is in line 1, column ", "[".repeat(20_000)],
    ["aliases that expand to millions of values", "prefill -", notYaml, aliases],
    ["a brace that isn't closed", "prefill -", "The first mistake is in line 1, column 12.", '{"order": 1'],
    ["a merge of a number", "prefill -", notYaml, "%YAML 1.1\n---\n<<: 5\n"],
    ["two orders", "prefill -", "The first mistake is in line 2, column 1.", `${takeout}---\n${takeout}`],
    [
      "a number that JSON would round",
      "prefill -",
      "item_id",
      `${takeout}cart: [{item_id: 9007199254740993}]`,
    ],
  ])("%s", async (_, line, message, input = "") => {
    const { code, stdout, stderr } = await bench.inProcess(line, { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n(?: {2}.+\n)+$/);
    expect(stderr.toLowerCase()).toContain(message.toLowerCase());
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+\)/);
    expect(bench.requests()).toEqual([]);
  });

  test("every problem in a file", async () => {
    const input = "order_type: takeaway\ncustomer:\n  phone: 11999990000\ncart:\n  - item_id: x\n";
    const { code, stdout, stderr } = await bench.inProcess("prefill - --json", { input });
    const hint = matching(
      /order_type.*\n.*customer\.phone.*\n.*cart\.0\.item_id.*\nFor a complete file, run: comanda prefill --example$/,
    );
    const message = "The order isn't valid. Nothing was sent.";
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(parseJson(stderr)).toMatchObject({ error: { code: "invalid_input", message, hint } });
    expect(bench.requests()).toEqual([]);
  });
});

test("prefill without an API key exits with code 3 and names the command that saves one", async () => {
  const env = { COMANDA_BASE_URL: bench.emulator.baseUrl, COMANDA_ACCESS_TOKEN: "token" };
  for (const line of ["prefill --order-type takeout", "prefill --order-type takeout --dry-run"]) {
    const stderr = matching(/^error: The request requires the store's API key\.\n.*COMANDA_API_KEY/);
    expect(await bench.inProcess(line, { env })).toEqual({ code: 3, stdout: "", stderr });
  }
  expect(bench.requests()).toEqual([]);
});

/** Returns the QR code's lines, which follow the links. */
async function drawn(link: string, { color = false, columns = 100 } = {}) {
  const stub = await startStub();
  stub.behave({ status: 200, body: JSON.stringify({ id: "p1", order_url: link, checkout_url: link }) });
  const colors = color ? { NO_COLOR: "", FORCE_COLOR: "1" } : {};
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key", TERM: "xterm", ...colors };
  const line = "prefill --order-type takeout --qr";
  const { code, stdout, stderr } = await bench.inProcess(line, { env, columns });
  return { code, stderr, lines: stdout.split("\n").filter((each) => /[█▀▄]/.test(each)) };
}

const links = [
  "http://127.0.0.1:4100/menu/501/prefilled/0123456789abcdef01",
  `https://menu.example/${"x".repeat(250)}`,
];

test.each(links)("the QR code contains %.40s, light on dark, and black on white with color", async (link) => {
  expect(scanQr((await drawn(link)).lines, "light")).toBe(link);
  const { lines } = await drawn(link, { color: true });
  // eslint-disable-next-line no-control-regex -- the test is about color codes
  const bare = lines.map((line) => line.replaceAll(/\u001b\[(?:38;5;16;48;5;231|0)m/g, ""));
  expect(bare.join("\n")).toMatch(/^[ █▀▄\n]+$/);
  expect(scanQr(bare, "dark")).toBe(link);
});

test("the QR code fits in 40 columns, or isn't drawn if its link is too long", async () => {
  const [short = "", long = ""] = links;
  expect(scanQr((await drawn(short, { columns: 40 })).lines, "light")).toBe(short);
  const stderr = containing("The QR code doesn't fit in the terminal");
  expect(await drawn(long, { columns: 40 })).toMatchObject({ code: 0, stderr });
});

const unsafe = ["javascript:alert(1)", "file:///etc/passwd", "-a Calculator", "/menu/1"];
test.each(unsafe)("--open rejects %j", (url) => {
  expect(() => webLink(url)).toThrow(expect.objectContaining({ code: "unexpected_answer" }));
});
