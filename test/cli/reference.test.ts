/** The manual, as it is made of the real command tree. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { manualPage } from "../../src/cli/reference/manual.js";
import { referencePages, type Page } from "../../src/cli/reference/pages.js";
import { useLanguage } from "../../src/cli/program.js";
import { englishIn } from "../languages/support/ear.js";
import { testContext } from "../support/context.js";
import { parseJson } from "../support/json.js";

let pages: readonly Page[];
let manual: ReadonlyMap<string, string>;
beforeAll(async () => {
  pages = referencePages(await createProgram(testContext()));
  manual = new Map(pages.map((page) => [`${page.name}.${page.section}`, manualPage(page, pages, "1.0.0")]));
});

const folder = mkdtempSync(path.join(tmpdir(), "comanda-manual-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string, ...args: string[]) =>
  spawnSync(program, args, { input: "" }).error === undefined;
const [hasMandoc, hasGroff] = [has("mandoc"), has("groff", "--version")];
if (!hasMandoc || !hasGroff)
  console.warn("mandoc or groff is missing: what they say of the manual is skipped.");

/** Of every character that a macro, a font or a shell could act upon. */
const hostile: Page = {
  name: "comanda-x",
  section: 1,
  summary: "it's \\fBold\\fR",
  usage: 'comanda x [--a "b"]',
  paragraphs: [
    "'ab' begins with a quote",
    ".TH begins with a dot",
    "-- ~/x ^ `y` \\e \\\\ Rua das Acácias … 😀",
  ],
  lists: [
    {
      title: "Options",
      items: [{ term: '-a, --bc <d="e">', text: "'status!=canceled' $(id) *a* _b_ [c](d)" }],
    },
  ],
  examples: ["comanda x 'a b' | less", ".hidden", "'quoted'"],
  seeAlso: ["comanda-x"],
};

describe("the manual", () => {
  test("has the same pages in Portuguese, of the same tree and with no English in them", async () => {
    await useLanguage("pt-BR");
    const translated = referencePages(await createProgram(testContext()));
    const texts = new Map(translated.map((page) => [page.name, manualPage(page, translated, "1.0.0")]));
    await useLanguage("en");
    expect(translated.map(({ name }) => name)).toEqual(pages.map(({ name }) => name));
    const page = texts.get("comanda-orders-cancel") ?? "";
    expect(page.match(/^\.SH .*$/gm)).toEqual([
      ".SH NOME",
      ".SH SINOPSE",
      String.raw`.SH DESCRI\[u00C7]\[u00C3]O`,
      String.raw`.SH OP\[u00C7]\[u00D5]ES`,
      String.raw`.SH OP\[u00C7]\[u00D5]ES DE TODOS OS COMANDOS`,
      ".SH EXEMPLOS",
      String.raw`.SH VEJA TAMB\[u00C9]M`,
    ]);
    expect(page).toContain(String.raw`.B \-\-reason <text>`);
    const ofCommands = translated.filter(({ section }) => section === 1);
    const said = ofCommands.flatMap(({ summary, paragraphs, lists }) => [
      summary,
      ...paragraphs,
      ...lists.flatMap(({ items }) => items.map(({ text }) => text)),
    ]);
    expect(said.flatMap(englishIn)).toEqual([]);
  });

  test("has a page for every command and topic, each of which the package hands to man", () => {
    const { man } = parseJson(readFileSync("package.json", "utf8")) as { man: readonly string[] };
    expect(man).toEqual([...manual.keys()].sort().map((name) => `./dist/man/${name}.gz`));
    expect([...manual.keys()]).toEqual(
      expect.arrayContaining(["comanda.1", "comanda-orders-dispatch.1", "comanda-periods.7"]),
    );
  });

  test("is small", () => {
    const size = [...manual.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(size).toBeLessThan(150_000);
  });

  test("has nothing but requests of its own at the start of a line", () => {
    const requests = new Set(
      [...manual.values(), manualPage(hostile, [hostile], "1.0.0")].flatMap((text) =>
        text.split("\n").flatMap((line) => /^[.'](\S*)/.exec(line)?.[0] ?? []),
      ),
    );
    const own = [".TH", ".SH", ".B", ".PP", ".TP", ".nf", ".fi", ".in", ".nh", ".ad"];
    expect([...requests].filter((request) => !own.includes(request))).toEqual([]);
  });

  test("names every option of every command", () => {
    const missing = pages.flatMap(({ name, section, lists }) => {
      const lines = new Set(manual.get(`${name}.${section}`)?.replaceAll("\\(dq", '"').split("\n"));
      const terms = lists.flatMap(({ items }) => items.map(({ term }) => term.replaceAll("-", "\\-")));
      return terms.filter((term) => !lines.has(`.B ${term}`)).map((term) => `${name} ${term}`);
    });
    expect(missing).toEqual([]);
  });

  const renderers = [
    ["mandoc", ["-Tutf8", "-Owidth=200"], hasMandoc],
    ["groff", ["-man", "-Tutf8", "-P-cbou", "-rLL=200n"], hasGroff],
  ] as const;
  test.each(renderers.filter(([, , isHere]) => isHere))(
    "%s shows every character as it stands",
    (program, args) => {
      const { stdout } = spawnSync(program, args, {
        input: manualPage(hostile, [hostile], "1.0.0"),
        encoding: "utf8",
      });
      // Bold is a character, a step back, and the same character again.
      const shown = stdout
        .split("\b")
        .map((part, index, parts) => (index === parts.length - 1 ? part : part.slice(0, -1)))
        .join("");
      const { summary, usage = "", paragraphs, lists, examples } = hostile;
      const terms = lists.flatMap(({ items }) => items.flatMap(({ term, text }) => [term, text]));
      const told = [summary, usage, ...paragraphs, ...terms, ...examples];
      expect(told.filter((text) => !shown.includes(text))).toEqual([]);
    },
  );

  test.skipIf(!hasMandoc || !hasGroff)("is what mandoc and groff take without a warning", () => {
    const files = [...manual].map(([name, text]) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    });
    const lint = spawnSync("mandoc", ["-Tlint", "-Wwarning", ...files], { encoding: "utf8" });
    // A version has no day before it is released.
    const told = lint.stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"));
    expect(told).toEqual([]);
    const groff = spawnSync("groff", ["-man", "-ww", "-z", "-Tutf8", ...files], { encoding: "utf8" });
    expect(groff.stderr).toBe("");
  });
});
