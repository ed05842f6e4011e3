/** What `--qr` and `--open` do with the link of an order. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { webLink } from "../../../src/commands/prefill.js";
import { Desk } from "../../support/desk.js";
import { scanQr } from "../../support/scan-qr.js";
import { startStub, type StubService } from "../../support/stub-service.js";

let stub: StubService;
const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
beforeAll(async () => {
  stub = await startStub();
});
afterEach(() => stub.behave({ status: 204 }));
afterAll(async () => {
  await stub.close();
  desk.remove();
});

/** What is drawn of this link, behind the three lines that tell the order. */
async function drawn(link: string, { color = false, columns = 100 } = {}) {
  stub.behave({ status: 200, body: JSON.stringify({ id: "p1", order_url: link, checkout_url: link }) });
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key", TERM: "xterm", ...colors(color) };
  const { code, stdout, stderr } = await desk.run("prefill --order-type takeout --qr", { env, columns });
  return { code, stderr, lines: stdout.trimEnd().split("\n").slice(3) };
}
const colors = (color: boolean) => (color ? { NO_COLOR: "", FORCE_COLOR: "1" } : {});

const links = [
  "http://127.0.0.1:4100/menu/501/prefilled/0123456789abcdef01",
  `https://menu.example/${"x".repeat(250)}`,
  "https://menu.example/%C3%A7?a=b&c=d#e",
];

test.each(links)(
  "the code reads back as %.40s, light on dark, and black on white with colours",
  async (link) => {
    expect(scanQr((await drawn(link)).lines, "light")).toBe(link);
    const { lines } = await drawn(link, { color: true });
    // eslint-disable-next-line no-control-regex -- the colour codes are what it is about
    const bare = lines.map((line) => line.replaceAll(/\u001b\[(?:38;5;16;48;5;231|0)m/g, ""));
    expect(bare.join("\n")).toMatch(/^[ █▀▄\n]+$/);
    expect(scanQr(bare, "dark")).toBe(link);
  },
);

test("the code fits a terminal of 40 columns, and is not drawn where it doesn't fit", async () => {
  const [short = "", long = ""] = links;
  const { lines } = await drawn(short, { columns: 40 });
  // The first lines are broken at that width.
  expect(
    scanQr(
      lines.filter((line) => /[█▀▄]/.test(line)),
      "light",
    ),
  ).toBe(short);
  const { code, stderr } = await drawn(long, { columns: 40 });
  expect([code, stderr]).toEqual([0, expect.stringContaining("doesn't fit here as a QR code")]);
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "data:text/html,hello",
  "vscode://file/etc/passwd",
  "\\\\host\\share",
  "-a Calculator",
  "",
  "/menu/1",
])("a link that is opened is never %j", (url) => {
  expect(() => webLink(url)).toThrow(expect.objectContaining({ code: "unexpected_answer" }));
});
