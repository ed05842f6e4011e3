import { describe, expect, test } from "vitest";

import { webLink } from "../../../src/commands/prefill/create.js";
import { qrText } from "../../../src/commands/prefill/qr.js";
import { scanQr } from "../../support/scan-qr.js";

const links = [
  "http://127.0.0.1:4100/menu/501/prefilled/0123456789abcdef01",
  "https://menu.example/p/abc-1",
  `https://menu.example/${"x".repeat(250)}`,
  "https://menu.example/%C3%A7?a=b&c=d#e",
];

describe("the QR code of a link", () => {
  test.each(links)("reads back as %.40s without colours, light on dark", async (link) => {
    const { text = "", width } = await qrText(link, false);
    expect(scanQr(text.trimEnd().split("\n"), "light")).toBe(link);
    expect(
      new Set(
        text
          .trimEnd()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toEqual(new Set([width]));
  });

  test.each(links)("reads back as %.40s with colours, black on white", async (link) => {
    const { text = "" } = await qrText(link, true);
    // eslint-disable-next-line no-control-regex -- the colour codes are what it is about
    const bare = text.replaceAll(/\u001b\[(?:38;5;16;48;5;231|0)m/g, "");
    expect(bare).toMatch(/^[ █▀▄\n]+$/);
    expect(scanQr(bare.trimEnd().split("\n"), "dark")).toBe(link);
  });

  test("fits a terminal of 40 columns with a frame of its own, and is not drawn where it doesn't fit", async () => {
    const [short = "", , long = ""] = links;
    const { text = "" } = await qrText(short, false, 40);
    const lines = text.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(scanQr(lines, "light")).toBe(short);
    expect(lines.every((line) => line.startsWith("██") && line.endsWith("██"))).toBe(true);
    expect(await qrText(long, false, 40)).toEqual({ width: 61 });
  });

  test("has no room for a link of more than 2,953 characters", async () => {
    const long = `https://menu.example/${"x".repeat(3_000)}`;
    await expect(qrText(long, false)).rejects.toThrow();
  });
});

describe("a link that is opened", () => {
  test.each(["https://menu.example/p/1", "http://127.0.0.1:4100/menu/501/prefilled/1?a=b#c"])(
    "may be %s",
    (url) => {
      expect(webLink(url)).toBe(url);
    },
  );

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,hello",
    "vscode://file/etc/passwd",
    "ms-msdt:/id",
    "\\\\host\\share",
    "-a Calculator",
    "",
    "/menu/1",
  ])("is never %j", (url) => {
    expect(() => webLink(url)).toThrow(expect.objectContaining({ code: "unexpected_answer" }));
  });

  test("is encoded", () => {
    expect(webLink('https://menu.example/"$(id)`; x')).toBe("https://menu.example/%22$(id)%60;%20x");
  });
});
