/** Bundles test files with the program's sources into one script each, unchanged or with a planted fault. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { build, type Plugin } from "esbuild";
import type * as typescript from "typescript";
import { z } from "zod";

import type { NamedTest, PlantedFault } from "./planted.js";

const root = path.resolve(import.meta.dirname, "../..");
/** `require` reads its nine megabytes once. An import would read them again for the names of its exports. */
const ts = createRequire(import.meta.url)("typescript") as typeof typescript;

/** A test, and the fault in its sources; none if that is absent. */
export interface Trial {
  readonly seenBy: NamedTest;
  readonly fault?: PlantedFault;
}

export type TrialResult = "green" | "red" | "no such test";

/**
 * Replaces one expression, found by its syntax, so that a fault still matches after a change next to it.
 *
 * @throws {Error} if the expression doesn't occur exactly once, because the code has changed
 */
export function withFault(source: string, { fault, file, within, from, to }: PlantedFault): string {
  const places = new Map<number, typescript.Node>();
  const visit = (node: typescript.Node, isWithin: boolean): void => {
    if (isWithin && spelled(node.getText()) === spelled(from)) places.set(node.getStart(), node);
    ts.forEachChild(node, (child) => visit(child, isWithin || isNamed(node, within)));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false);
  const [place, ...others] = places.values();
  if (place === undefined || others.length > 0)
    throw new Error(`"${fault}" doesn't fit: ${within} in src/${file} has ${places.size} times: ${from}`);
  return source.slice(0, place.getStart()) + to + source.slice(place.end);
}

/** Removes line breaks, blanks, and the trailing comma of a formatted list. */
function spelled(code: string): string {
  return code.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "");
}

function isNamed(node: typescript.Node, name: string): boolean {
  const isDeclaration =
    ts.isFunctionLike(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertyAssignment(node);
  if (!isDeclaration || node.name === undefined) return false;
  return (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) && node.name.text === name;
}

/** Runs all of them in one run of Vitest, each with its own sources. */
export async function play(trials: readonly Trial[]): Promise<readonly TrialResult[]> {
  // Packages are found from this folder, and Vitest loads the script like Node.
  const cache = path.join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const bundles = mkdtempSync(path.join(cache, "comanda-faults-"));
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-faults-"));
  try {
    for (const [index, trial] of trials.entries()) {
      const bundle = path.join(bundles, `${index}.mjs`);
      await bundleTrial(trial, bundle);
      writeFileSync(path.join(folder, nameOf(index)), `import ${JSON.stringify(bundle)};\n`);
    }
    const results = await runVitest(folder, [...new Set(trials.map(({ seenBy }) => seenBy.title))]);
    return trials.map(({ seenBy }, index) => {
      const tests = (results.get(nameOf(index)) ?? []).filter(
        ({ fullName }) => fullName.includes(seenBy.group) && fullName.includes(seenBy.title),
      );
      if (tests.some(({ status }) => status === "failed")) return "red";
      return tests.some(({ status }) => status === "passed") ? "green" : "no such test";
    });
  } finally {
    for (const each of [bundles, folder]) rmSync(each, { recursive: true, force: true });
  }
}

const nameOf = (index: number) => `${index}.test.mjs`;

async function bundleTrial({ seenBy: { file }, fault }: Trial, outfile: string): Promise<void> {
  const imports = ["support/each-file.ts", file].map(
    (name) => `import ${JSON.stringify(path.join(root, "test", name))};`,
  );
  await build({
    stdin: { contents: imports.join("\n"), resolveDir: root },
    outfile,
    bundle: true,
    // The package declares its modules free of side effects, but a test file has only those.
    ignoreAnnotations: true,
    packages: "external",
    platform: "node",
    target: "node20.18",
    format: "esm",
    logLevel: "error",
    loader: { ".css": "text", ".md": "text", ".sql": "text" },
    plugins: [planted(fault)],
  });
}

/** Replaces the location of a module by that of its source. */
function planted(fault: PlantedFault | undefined): Plugin {
  const faulty = fault && path.join(root, "src", fault.file);
  return {
    name: "planted",
    setup(bundler) {
      bundler.onLoad({ filter: /\/(src|test)\/.*\.tsx?$/ }, ({ path: file }) => {
        const source = readFileSync(file, "utf8");
        const place = { url: pathToFileURL(file).href, dirname: path.dirname(file), filename: file };
        const contents = (fault && file === faulty ? withFault(source, fault) : source).replaceAll(
          /(?<!")\bimport\.meta\.(url|dirname|filename)\b/g,
          (_, name: keyof typeof place) => JSON.stringify(place[name]),
        );
        return { contents, loader: file.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

type TestResults = z.infer<typeof reportSchema>["testResults"][number]["assertionResults"];

/** Selects the tests with these titles by their files. */
async function runVitest(
  folder: string,
  titles: readonly string[],
): Promise<ReadonlyMap<string, TestResults>> {
  const report = path.join(folder, "report.json");
  const config = path.join(folder, "vitest.config.mjs");
  const test = {
    include: ["*.test.mjs"],
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 20_000,
  };
  writeFileSync(config, `export default ${JSON.stringify({ test })};\n`);
  const pattern = titles.map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")).join("|");
  const options = ["--root", folder, "--config", config, "--reporter=json", `--outputFile=${report}`];
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env };
  delete env["VITEST"];
  // It exits with 1 after a failed test, which most of them are.
  await promisify(execFile)(process.execPath, [vitest, "run", "-t", pattern, ...options], {
    cwd: root,
    env,
  }).catch(() => undefined);
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, "utf8")));
  return new Map(testResults.map(({ name, assertionResults }) => [path.basename(name), assertionResults]));
}
