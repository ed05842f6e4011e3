/** The README's ways: what it links to is there. Its command lines run in test/acceptance/readme.test.ts. */
import { existsSync, readFileSync, statSync } from "node:fs";

import { expect, test } from "vitest";

const text = readFileSync("README.md", "utf8");
const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => to);

test("every link leads to a heading or a file", () => {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(
    ([, title = ""]) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`,
  );
  const isThere = (link: string) => (link.startsWith("#") ? headings.includes(link) : existsSync(link));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});

test("the page is short enough to be read: at most 1,500 words beside the commands", () => {
  const prose = text.replaceAll(/^```.*?^```/gms, "");
  expect(prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(1_500);
});

test("the first screen sends each of three readers to their place", () => {
  const screen = text.split("\n").slice(0, 30).join("\n");
  for (const place of ["#sign-in", "#everyday-use", "#scripts-and-cron", "#in-your-own-programs"])
    expect(screen).toContain(`(${place})`);
  expect(screen).toContain("npm ci && npm run demo");
});

test("the pictures are small, and told in words", () => {
  const pictures = [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = "", file = ""]) => ({
    words,
    file,
    size: statSync(file).size,
  }));
  expect(pictures.map(({ file }) => file)).toEqual([
    "examples/pictures/terminal.svg",
    "examples/pictures/report.png",
  ]);
  for (const { words, file, size } of pictures) {
    expect(words.length, file).toBeGreaterThan(60);
    expect(size, file).toBeLessThan(file.endsWith(".svg") ? 60_000 : 150_000);
  }
});
