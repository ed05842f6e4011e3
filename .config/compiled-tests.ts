/**
 * A compiler for the tests: esbuild makes JavaScript of all of `src` and `test` at once, and Node loads it as it loads any
 * program. Vitest's own module runner compiles file by file and hands each to each worker, where all that one module has of
 * another is a call of a getter: a tenth of the processor's time of a run. Only watching needs it; and `vi.mock`, which no
 * test uses.
 */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import { build, type BuildFailure, type Plugin } from "esbuild";
import type { Vite } from "vitest/node";

const root = path.resolve(import.meta.dirname, "..");
/** Below node_modules, so that packages are found from there. */
const cache = path.join(root, "node_modules", ".cache");
const prefix = "comanda-tests-";
const folder = path.join(cache, `${prefix}${process.pid}`);
const dayMs = 86_400_000;

/**
 * A test file is for Vitest a line that imports the compiled one. Its setup files stay its own, since it runs them anew for
 * each test file; what they import is the compiled one, which the tests have too.
 */
export function compiledTests(): Vite.Plugin {
  let compiled: Promise<ReadonlyMap<string, string>> | undefined;
  let watching = false;
  const compiledOf = async (file: string) => (await (compiled ??= compileAll())).get(file);
  return {
    name: "compiled-tests",
    enforce: "pre",
    configureVitest({ vitest }) {
      watching = vitest.config.watch;
      vitest.onClose(() => {
        rmSync(folder, { recursive: true, force: true });
      });
    },
    async resolveId(source, importer) {
      if (watching || importer === undefined || !source.startsWith(".")) return undefined;
      return compiledOf(path.resolve(path.dirname(importer), source));
    },
    async load(id) {
      if (watching || !/\.(?:test|search)\.tsx?$/.test(id)) return undefined;
      const file = await compiledOf(id.replace(/tsx?$/, "js"));
      return file === undefined ? undefined : `import ${JSON.stringify(file)};`;
    },
  };
}

/** A file of SQL, CSS or Markdown is a text, as the build has it, for those that Vitest's own module runner loads. */
export function fileTexts(): Vite.Plugin {
  return {
    name: "file-texts",
    enforce: "pre",
    load: (id) =>
      /\.(?:css|md|sql)$/.test(id)
        ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};`
        : undefined,
  };
}

/** @returns what is compiled, by what an import names: of `a.ts` or `a.tsx`, `a.js` beside it */
async function compileAll(): Promise<ReadonlyMap<string, string>> {
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const files = ["src", "test"].flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(name, file)),
  );
  const compiled = await compile(files);
  // A test of the lint rules imports the one, tests of examples the other.
  for (const name of [".config", "examples"]) symlinkSync(path.join(root, name), path.join(folder, name));
  for (const name of ["src/api/descriptions.json", "src/languages/pt-BR.json"])
    cpSync(path.join(root, name), path.join(folder, name));
  writeFileSync(path.join(folder, "package.json"), `{ "type": "module" }\n`);
  const names = compiled.map((file) => file.replace(/tsx?$/, "js"));
  return new Map(names.map((name) => [path.join(root, name), path.join(folder, name)]));
}

/**
 * What is wrong with a file goes to stderr, and the tests that don't load it run.
 *
 * @returns those that could be compiled
 */
async function compile(files: readonly string[]): Promise<readonly string[]> {
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [...files],
      outdir: folder,
      outbase: root,
      platform: "node",
      target: "node20.18",
      format: "esm",
      // Vitest reads these for the stacks that it shows.
      sourcemap: "inline",
      sourcesContent: false,
      // What only the build's CommonJS has, such as `require`, is a warning.
      logLevel: "error",
      plugins: [inPlace],
    });
    return files;
  } catch (error) {
    const { errors = [] } = error as Partial<BuildFailure>;
    const wrong = new Set(errors.map(({ location }) => location?.file));
    const others = files.filter((file) => !wrong.has(file));
    if (others.length === files.length) throw error;
    return compile(others);
  }
}

/** A module that asks where it is hears where its source is. */
const inPlace: Plugin = {
  name: "in-place",
  setup(bundler) {
    bundler.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
      const text = withTexts(readFileSync(file, "utf8"), path.dirname(file));
      const place = { url: pathToFileURL(file).href, dirname: path.dirname(file), filename: file };
      const asks = text.includes("import.meta.");
      return {
        contents: asks ? `Object.assign(import.meta, ${JSON.stringify(place)});${text}` : text,
        loader: file.endsWith("x") ? "tsx" : "ts",
      };
    });
  },
};

/** As {@link fileTexts}. */
function withTexts(code: string, folder: string): string {
  return code.replaceAll(
    /^import (\w+) from "(\.[\w./-]+\.(?:css|md|sql))";$/gm,
    (_, name: string, file: string) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      return `const ${name} = ${JSON.stringify(text)};`;
    },
  );
}

/** Of runs that were killed. */
function removeLeftovers(): void {
  const left = readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(({ name }) => path.join(cache, name))
    .filter((each) => statSync(each).mtimeMs < Date.now() - dayMs);
  for (const each of left) rmSync(each, { recursive: true, force: true });
}
