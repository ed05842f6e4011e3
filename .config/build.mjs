// @ts-check
/**
 * Builds dist/: the command-line program, as CommonJS chunks that are loaded when they are needed, and the library with its
 * types. `npm run build` does all that is needed before a first run.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

import { build, transform } from "esbuild";

import { makeCodeCache } from "./code-cache.mjs";
import { describeFields, keepReachable } from "./declarations.mjs";
import { jqEngine } from "./jq-engine.mjs";
import { lateOptimization } from "./late-optimization.mjs";
import { leaveOut } from "./leave-out.mjs";
import { packChunks } from "./pack-chunks.mjs";
import { quickStart } from "./quick-start.mjs";
import { ownSourceMap } from "./source-maps.mjs";
import { zipChunks } from "./zip-chunks.mjs";

const root = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
/** Made beside what it replaces, so that a program that runs meanwhile finds the old build or the new one. */
const dist = path.join(root, "node_modules", ".cache", `comanda-dist-${process.pid}`);
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/**
 * What writes JSON schemas is a third of zod, and one file needs it. Through the package's front doors it comes along
 * wherever zod is loaded.
 *
 * @type {import("esbuild").Plugin}
 */
const jsonSchemasApart = {
  name: "json-schemas-apart",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^zod\/v4\/core$/ }, ({ importer }) =>
      importer.endsWith("json-schemas.ts")
        ? { path: path.join(root, "node_modules/zod/v4/core/json-schema-processors.js"), sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /\/zod\/v4\/(mini\/external|core\/index)\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replaceAll(/^export .*json-schema.*$/gm, ""),
    }));
  },
};

/**
 * V8 reads two thousand sentences as JSON in a fifth of the time that it takes for them as code: 1 ms and not 6. The English
 * sentences stand in the code: a digest of each does as the key of its translation, and halves the catalogue.
 *
 * @type {import("esbuild").Plugin}
 */
const cataloguesAsJson = {
  name: "catalogues-as-json",
  setup({ onLoad }) {
    /** @type {Map<string, string>} */
    const texts = new Map();
    onLoad({ filter: /\/languages\/pt-BR\/(messages|help|emulator)\.ts$/ }, async ({ path: file }) => {
      const stdin = {
        contents: `export * as catalogues from "./${path.basename(file)}"; export { textDigest } from "../text-digest.js";`,
        resolveDir: path.dirname(file),
      };
      const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
      /** @type {{ catalogues: Record<string, import("../src/shared/language.js").Catalogue>, textDigest: (text: string) => string }} */
      const { catalogues, textDigest } = await import(
        `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
      );
      const exported = Object.entries(catalogues).map(([name, translations]) => {
        const byDigest = Object.entries(translations).map(([text, translation]) => {
          const digest = textDigest(text);
          const other = texts.get(digest) ?? text;
          if (other !== text) throw new Error(`two texts have one digest: ${text}, ${other}`);
          texts.set(digest, text);
          return [digest, translation];
        });
        const json = JSON.stringify(Object.fromEntries(byDigest)).replace(
          // One of these, and V8 takes two bytes for each letter.
          /[^ -\u00ff]/g,
          (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        return `export const ${name} = JSON.parse(${JSON.stringify(json)});`;
      });
      return { contents: exported.join("\n") };
    });
  },
};

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.18",
  jsx: "automatic",
  jsxImportSource: "hono/jsx",
  legalComments: "linked",
  // The schema of the databases is a text.
  loader: { ".sql": "text" },
  // Only who keeps state in PostgreSQL installs it.
  external: ["pg"],
  plugins: [jsonSchemasApart, cataloguesAsJson],
  logLevel: "warning",
};

/** Small, and of several commands: a file of their own would cost more than they do. */
const sharedByCommands = [
  "toolkit/session-state",
  "toolkit/confirmation",
  "toolkit/with-connection",
  "toolkit/many-calls",
  "toolkit/writes",
  "contract/limits",
  "contract/money",
  "shared/local-time",
  "shared/loopback",
  "shared/once",
  "shared/whole-file",
  "client/base-url",
  "client/call/callback",
  "client/call/observer",
  "client/call/outcome",
  "client/checks",
  "state/settings/store-settings",
  "state/journal/run-id",
].map((name) => `src/${name}.ts`);

/**
 * esbuild splits ES modules alone, and CommonJS starts faster: so the program is bundled and split as ES
 * modules first, then each chunk is turned into CommonJS, where `import()` of a chunk is a `require`.
 */
async function buildProgram() {
  const out = path.join(dist, "cli");
  const { metafile } = await build({
    ...common,
    entryPoints: {
      start: "src/cli/start.ts",
      program: "src/cli/program.ts",
      "help-texts": "src/cli/help-texts.ts",
      "library-node": "src/public/node.ts",
      "library-testing": "src/public/emulator.ts",
    },
    outdir: out,
    plugins: [jsonSchemasApart, leaveOut, cataloguesAsJson],
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    minifySyntax: true,
    define: {
      ...(await jqEngine()),
      __EXECUTABLE__: "undefined",
      __VERSION__: JSON.stringify(version),
      "import.meta.url": "undefined",
      "import.meta.dirname": "__dirname",
    },
  });
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const target = path.join(out, file);
    const chunk = metafile.outputs[path.relative(root, target)];
    writeFileSync(target, await asSmallCommonJs(readFileSync(target, "utf8"), chunk));
  }
  const packed = packChunks(metafile, out, {
    start: ["src/cli/start.ts"],
    base: ["src/cli/program.ts", ...sharedByCommands],
    orders: ["src/commands/orders/index.ts"],
    // What lies on the disk, and which store is meant: for commands that make no call, too.
    state: ["src/toolkit/state.ts", "src/toolkit/choose-store.ts"],
    // What a row is written and read with.
    sqlite: ["src/state/sqlite/sqlite.ts", "src/state/sqlite/sqlite-driver.ts"],
    // What these read a line with, so that a line that is refused doesn't load what makes calls.
    lines: {
      importsOf: ["demo/index", "driver/index", "env", "prefill/index", "stores/index"].map(
        (name) => `src/commands/${name}.ts`,
      ),
    },
    // How wide a text is, which tables ask, and JSON never does.
    width: ["node_modules/string-width/index.js"],
    table: ["src/terminal/table.ts"],
    calendar: ["src/sales/period/calendar.ts"],
    // What calls write down, and what is told of it without a call.
    kept: {
      sharedBy: [
        "src/toolkit/connection.ts",
        "src/commands/history/index.ts",
        "src/state/limiter.ts",
        "src/state/journal/history.ts",
      ],
    },
    // The contract above all: a call needs nothing else of the sales figures.
    contract: { sharedBy: ["src/toolkit/connection.ts", "src/sales/commands/summary.ts"] },
    summary: ["src/sales/commands/summary.ts", "src/sales/commands/grouped.ts"],
    call: ["src/toolkit/connection.ts"],
    // Loaded when the first request goes out: figures that are kept need none.
    network: ["src/client/http/undici-transport.ts"],
    "summary-call": ["src/sales/ask/stores.ts"],
  });
  const commands = ["status", "driver/index", "stores/index", "history/index", "completion/index"];
  const figures = ["summary", "grouped"];
  await zipChunks(metafile, out, {
    usual: [
      "src/cli/complete.ts",
      "src/cli/next-step.ts",
      ...commands.map((name) => `src/commands/${name}.ts`),
      ...figures.map((name) => `src/sales/commands/${name}.ts`),
      "src/terminal/table.ts",
      "src/terminal/wrapped-table.ts",
      "src/languages/pt-BR/messages.ts",
      // Several orders at once; where quota asks the service, where a terminal has colours, where there is a proxy, and where
      // a chain keeps its state.
      "src/state/journal/runs.ts",
      "src/state/limiter.ts",
      "node_modules/chalk/source/index.js",
      "src/client/http/proxy-dispatcher.ts",
      "src/state/chain/postgres-state.ts",
    ],
    programs: ["src/public/node.ts"],
    packed,
  });
  writeFileSync(path.join(out, "package.json"), '{ "type": "commonjs" }\n');

  await writeHelp(out);
  // The recorder of the code cache asks for the loader alone; who starts has it in the first file.
  await build({
    ...common,
    ...entryOptions({ isExecutable: false }),
    entryPoints: { entry: "src/cli/entry.ts", "load-program": "src/cli/load-program.ts" },
    outdir: out,
  });
  // The executable's code, as one file: .config/binary.mjs puts it in.
  await build({
    ...common,
    ...entryOptions({ isExecutable: true }),
    entryPoints: ["src/cli/entry.ts"],
    outfile: path.join(dist, "binary", "main.cjs"),
  });
  for (const file of [path.join(out, "entry.js"), path.join(dist, "binary", "main.cjs")])
    writeFileSync(file, await small(quickStart(readFileSync(file, "utf8"))));
}

/**
 * @param {{ isExecutable: boolean }} kind
 * @returns {import("esbuild").BuildOptions}
 */
function entryOptions({ isExecutable }) {
  return {
    format: "cjs",
    define: { __EXECUTABLE__: String(isExecutable), __VERSION__: JSON.stringify(version) },
  };
}

/** @typedef {import("esbuild").Metafile["outputs"][string]} Chunk */

/**
 * Comments, indentation and long names are half of what would be read and compared at each start. What a stack shows
 * stays: the functions of our own code at the top of a file, and the methods.
 *
 * @param {string} code an ES module
 * @param {Chunk | undefined} chunk
 */
async function asSmallCommonJs(code, chunk) {
  const module = await transform(code, {
    platform: "node",
    target: "node20.18",
    legalComments: "none",
    format: "cjs",
    supported: { "dynamic-import": false },
    minifyIdentifiers: isOf(chunk, "node_modules/"),
  });
  const text = await small(quickStart(module.code));
  return isOf(chunk, "src/languages/") ? withPlainLetters(text) : text;
}

/**
 * esbuild writes each accent as four signs.
 *
 * @param {string} code
 */
function withPlainLetters(code) {
  return code.replaceAll(
    /(?<!\\)((?:\\\\)*)\\x([a-f89]\p{AHex})/giu,
    (_, before, hex) => `${before}${String.fromCharCode(Number.parseInt(hex, 16))}`,
  );
}

/** @param {string} code CommonJS */
async function small(code) {
  const options = /** @type {const} */ ({ platform: "node", target: "node20.18", legalComments: "none" });
  return (await transform(code, { ...options, minify: true, treeShaking: true })).code;
}

/**
 * @param {Chunk | undefined} chunk
 * @param {string} place
 */
function isOf(chunk, place) {
  const inputs = Object.entries(chunk?.inputs ?? {});
  /** @param {typeof inputs} some */
  const bytes = (some) => some.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return bytes(inputs.filter(([name]) => name.startsWith(place))) > 0.9 * bytes(inputs);
}

/**
 * The help is the same every time: it is made here, so that printing it loads nothing.
 *
 * @param {string} folder gets, for each language, two files of texts and the table that completion is answered from
 */
async function writeHelp(folder) {
  const file = path.join(folder, "help-texts.js");
  const made = createRequire(import.meta.url)(file);
  for (const language of ["en", "pt-BR"]) {
    const { screens, whole } = await made.helpTexts(language);
    writeFileSync(path.join(folder, `help-screen.${language}.json`), JSON.stringify(linesOnce(screens)));
    const wholeHelps = gzipSync(JSON.stringify(linesOnce(whole)), { level: 9 });
    writeFileSync(path.join(folder, `help-whole.${language}.json.gz`), wholeHelps);
    const table = await made.tableForCompletion(language);
    writeFileSync(path.join(folder, `completion.${language}.json`), JSON.stringify(optionsOnce(table)));
  }
  const words = { "pt-BR": await made.startWords("pt-BR"), en: await made.startWords("en") };
  writeFileSync(path.join(folder, "start-words.json"), JSON.stringify(words));
  writeManual(await made.manual("en"), await made.manual("pt-BR"));
  rmSync(file);
  rmSync(`${file}.br`, { force: true });
}

/**
 * `man comanda-summary` and the rest of the manual, which npm installs.
 *
 * npm knows no languages: `man -M` finds the Portuguese pages, in folders of the names that it looks for.
 *
 * @param {Record<string, string>} english
 * @param {Record<string, string>} portuguese
 */
function writeManual(english, portuguese) {
  const folder = path.join(dist, "man");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(english))
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
  for (const [name, text] of Object.entries(portuguese)) {
    const section = path.join(folder, "pt_BR", `man${name.at(-1)}`);
    mkdirSync(section, { recursive: true });
    writeFileSync(path.join(section, `${name}.gz`), gzipSync(text, { level: 9 }));
  }
}

/**
 * Commands share half of the lines of their help: each is kept once.
 *
 * @param {Readonly<Record<string, string>>} texts by command
 * @returns {import("../src/cli/start.js").HelpFile}
 */
function linesOnce(texts) {
  const split = Object.entries(texts).map(
    ([words, text]) => /** @type {const} */ ([words, text.split("\n")]),
  );
  const lines = [...new Set(split.flatMap(([, own]) => own))];
  return {
    lines,
    texts: Object.fromEntries(split.map(([words, own]) => [words, own.map((line) => lines.indexOf(line))])),
  };
}

/**
 * The same for what completion is answered from.
 *
 * @param {import("../src/cli/complete.js").CompletionTable} table
 * @returns {import("../src/cli/complete.js").CompletionFile}
 */
function optionsOnce(table) {
  const texts = [
    ...new Set(Object.values(table).flatMap(({ options }) => options.map((one) => JSON.stringify(one)))),
  ];
  return {
    options: texts.map((text) => JSON.parse(text)),
    commands: Object.fromEntries(
      Object.entries(table).map(([words, { options, ...rest }]) => [
        words,
        { ...rest, own: options.map((option) => texts.indexOf(JSON.stringify(option))) },
      ]),
    ),
  };
}

/**
 * The library's type declarations. What is wrong with the types, `npm run check:types` tells: to look for it here too
 * would take twice as long.
 *
 * @returns the folder that they are in
 */
async function makeTypes() {
  const types = path.join(dist, "library", "types");
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", "tsconfig.build.json", "--noCheck", "--outDir", types];
  await run(process.execPath, [...lateOptimization, tsc, ...options], { cwd: path.join(root, ".config") });
  const { fieldText } = await sourceModule("src/contract/descriptions.ts");
  describeFields(path.join(types, "contract", "models.d.ts"), fieldText);
  return types;
}

/** @param {string} file a module of the sources that the build itself needs */
async function sourceModule(file) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [file],
    format: "esm",
    legalComments: "none",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

/**
 * The library. What runs wherever there is a `fetch` is built of its sources without a module of Node's, and its entries share
 * what they have in common: a program that is bundled gets no more than it uses. The emulator is a module of its own too: a
 * program's tests start sooner with it than with the program's chunks. As CommonJS it is a door to those, and so is what
 * reads the sessions of this machine: a second copy of either would be a tenth of the package.
 *
 * @param {Promise<string>} madeTypes the folder of the declarations
 */
async function buildLibrary(madeTypes) {
  const folder = path.join(dist, "library");
  /** @type {import("esbuild").BuildOptions} */
  const modules = {
    ...common,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    format: "esm",
    minify: true,
    // For what a stack shows. The sources lie in the repository; with them the package would be a third larger.
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
  };
  await Promise.all([
    build({
      ...modules,
      entryPoints: [entry("index"), entry("oauth")],
      splitting: true,
      chunkNames: "[name]-[hash]",
      plugins: [calendarsApart],
      ...anywhere,
    }),
    build({ ...modules, entryPoints: [entry(spanFigures)], ...anywhere }),
    build({
      ...modules,
      entryPoints: { testing: entry("emulator") },
      plugins: [...(common.plugins ?? []), clientBeside],
    }),
    buildCommonJs(folder),
  ]);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".mjs"))) {
    const place = path.join(folder, file);
    const map = JSON.parse(readFileSync(`${place}.map`, "utf8"));
    const own = ownSourceMap(map, { folder, root, code: readFileSync(place, "utf8") });
    writeFileSync(`${place}.map`, JSON.stringify(own));
  }
  await writeDoors(folder);
  for (const [name, source] of Object.entries(entries))
    writeFileSync(path.join(folder, `${name}.d.mts`), `export * from "./types/public/${source}.js";\n`);
  const types = await madeTypes;
  keepReachable(
    types,
    Object.values(entries).map((source) => path.join(types, "public", `${source}.d.ts`)),
  );
  writeFileSync(path.join(folder, "types", "package.json"), '{ "type": "commonjs" }\n');
}

/** Calendars are larger than the client: a program that asks for no long span doesn't load them. */
const spanFigures = "span-figures";

/** What programs import, each with its file in src/public. */
const entries = { index: "index", oauth: "oauth", node: "node", testing: "emulator" };

/** @param {string} name */
const entry = (name) => `src/public/${name}.ts`;

/**
 * An import of anything of Node's ends the build.
 *
 * @type {import("esbuild").BuildOptions}
 */
const anywhere = { platform: "neutral", mainFields: ["module", "main"], target: "es2022" };

/**
 * The client that the emulator gives is the one of `comanda`: a program that tests with both has it once.
 *
 * @type {import("esbuild").Plugin}
 */
const clientBeside = {
  name: "client-beside",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/client\.js$/ }, ({ importer }) =>
      importer.endsWith(path.join("public", "emulator-client.ts"))
        ? { path: "./index.mjs", external: true }
        : undefined,
    );
  },
};

/**
 * Where modules are asked for by `require`. The client and the sign-in are one file: two copies of the client are a tenth of
 * the package, and no bundler takes parts of CommonJS.
 *
 * @param {string} folder
 */
async function buildCommonJs(folder) {
  await build({
    ...common,
    stdin: {
      contents: 'export * from "./index.js"; export * from "./oauth.js";',
      resolveDir: path.join(root, "src", "public"),
      loader: "ts",
    },
    outfile: path.join(folder, "whole.cjs"),
    format: "cjs",
    minify: true,
    legalComments: "none",
    plugins: [calendarsApart],
    ...anywhere,
  });
}

/** @param {string} folder */
async function writeDoors(folder) {
  for (const name of ["index", "oauth"]) {
    const module = await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href);
    const exported = Object.keys(module).join(", ");
    const door = `const { ${exported} } = require("./whole.cjs");\nmodule.exports = { ${exported} };\n`;
    writeFileSync(path.join(folder, `${name}.cjs`), door);
  }
  writeFileSync(path.join(folder, "testing.cjs"), doorTo("library-testing.js"));
  writeFileSync(path.join(folder, "node.cjs"), doorTo("library-node.js"));
  const { default: ofNode } = await import(pathToFileURL(path.join(folder, "node.cjs")).href);
  const handedOn = `import library from "./node.cjs";\nexport const { ${Object.keys(ofNode).join(", ")} } = library;\n`;
  writeFileSync(path.join(folder, "node.mjs"), handedOn);
}

/**
 * A chunk that the calendars shared with the client would come whole into every bundle.
 *
 * @type {import("esbuild").Plugin}
 */
const calendarsApart = {
  name: "calendars-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/span-figures\.js$/ }, () => ({ path: `./${spanFigures}.mjs`, external: true }));
  },
};

/** @param {string} chunk of the program */
function doorTo(chunk) {
  return `module.exports = require("../cli/${chunk}");\n`;
}

/** Puts the new build in the place of the old one. */
function replaceDist() {
  const place = path.join(root, "dist");
  const old = `${dist}-old`;
  try {
    renameSync(place, old);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
  }
  renameSync(dist, place);
  rmSync(old, { recursive: true, force: true });
}

try {
  // In a process of its own, beside all that is done here.
  const types = makeTypes();
  const program = buildProgram();
  const library = program.then(() => buildLibrary(types));
  // A process of its own, too.
  const codeCache = program.then(() => makeCodeCache(path.join(dist, "cli")));
  await Promise.all([types, library, codeCache]);
  replaceDist();
} finally {
  rmSync(dist, { recursive: true, force: true });
}
