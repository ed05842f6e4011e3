// @ts-check
/**
 * Builds dist/: the command-line program as CommonJS chunks that are loaded when they are needed, and the
 * library as ES modules and CommonJS with types. `npm run build` does all that is needed before a first run.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build, transform } from "esbuild";

import { makeCodeCache } from "./code-cache.mjs";
import { packChunks } from "./pack-chunks.mjs";

const root = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
/** Made beside what it replaces, so that a program that runs meanwhile finds the old build or the new one. */
const dist = path.join(root, "node_modules", ".cache", `comanda-dist-${process.pid}`);
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/**
 * undici loads its HTTP/2 client, and Node's with it, even where HTTP/2 is off, as it always is here: a fifth of
 * the start-up of a call.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutHttp2 = {
  name: "without-http2",
  setup({ onLoad }) {
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 is off'); };",
    }));
  },
};

/**
 * What else undici loads and no call of comanda's needs: `http` for one constant (Node's own default for the size of
 * a head), `assert` for plain assertions, fetch for bodies that are forms. A tenth of the start-up of a call.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutFetch = {
  name: "without-fetch",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(http|assert)$/ }, ({ importer, path: name }) =>
      /\/node_modules\/undici\//.test(importer) ? { path: name, namespace: "for-undici" } : undefined,
    );
    onLoad({ filter: /^node:http$/, namespace: "for-undici" }, () => ({
      contents: "exports.IncomingMessage = class {}; exports.maxHeaderSize = 16 * 1024;",
    }));
    onLoad({ filter: /^node:assert$/, namespace: "for-undici" }, () => ({
      contents: `module.exports = (holds, message = "an assertion of undici's failed") => {
        if (!holds) throw message instanceof Error ? message : new Error(message);
      };`,
    }));
    onLoad({ filter: /undici\/lib\/web\/fetch\/body\.js$/ }, () => ({
      contents: "exports.extractBody = () => { throw new TypeError('a form is no body here'); };",
    }));
  },
};

/**
 * commander loads `child_process`, and with it the network stack, for subcommands that are programs of their own.
 * comanda has none.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutExecutableSubcommands = {
  name: "without-executable-subcommands",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /\/node_modules\/commander\//.test(importer)
        ? { path: "child_process", namespace: "nothing" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "" }));
  },
};

/**
 * What conf does as soon as it is loaded: it asks for the home folder, and many a container's user has none; it is
 * always told which folder to use. And it listens for signals, to send each to this process a second time once its
 * temporary files are gone, so that one Ctrl-C counts for two; src/state/settings clears up by itself.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutConfsOwnStart = {
  name: "without-confs-own-start",
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/env-paths\/index\.js$/ }, () => ({
      contents: "export default () => { throw new Error('conf needs a folder'); };",
    }));
    onLoad({ filter: /\/node_modules\/when-exit\/dist\/node\/index\.js$/ }, () => ({
      contents: "export default () => undefined;",
    }));
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
  plugins: [withoutHttp2, withoutFetch, withoutExecutableSubcommands, withoutConfsOwnStart],
  logLevel: "warning",
};

/** Small, and of several commands: a file of their own would cost more than they do. */
const sharedByCommands = ["commands/protection", "commands/session-state", "contract/money"].map(
  (name) => `src/${name}.ts`,
);

/**
 * esbuild splits ES modules alone, and CommonJS starts faster: so the program is bundled and split as ES
 * modules first, then each chunk is turned into CommonJS, where `import()` of a chunk is a `require`.
 */
async function buildProgram() {
  const out = path.join(dist, "cli");
  const { metafile } = await build({
    ...common,
    entryPoints: { program: "src/cli/program.ts", "help-texts": "src/cli/help-texts.ts" },
    outdir: out,
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    define: {
      __VERSION__: JSON.stringify(version),
      "import.meta.url": "undefined",
      "import.meta.dirname": "__dirname",
    },
  });
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const target = path.join(out, file);
    const { code } = await transform(readFileSync(target, "utf8"), {
      format: "cjs",
      platform: "node",
      target: "node20.18",
      supported: { "dynamic-import": false },
    });
    // Comments and indentation are two fifths of what would be read and compared at each start.
    const small = await transform(withLazyBuiltins(code), { minifyWhitespace: true, legalComments: "none" });
    writeFileSync(target, asAscii(small.code));
  }
  packChunks(metafile, out, {
    base: ["src/cli/program.ts", ...sharedByCommands],
    orders: ["src/commands/orders/index.ts"],
    // What lies on the disk, and which store is meant: for commands that make no call, too.
    state: ["src/commands/state.ts", "src/commands/choose-store.ts"],
    // What these read a line with, so that a line that is refused doesn't load what makes calls.
    lines: {
      importsOf: ["cache", "demo/index", "driver", "env", "prefill/index", "stores"].map(
        (name) => `src/commands/${name}.ts`,
      ),
    },
    // How wide a text is, which tables ask, and JSON never does.
    width: ["node_modules/string-width/index.js"],
    table: ["src/terminal/table.ts"],
    calendar: ["src/summary/period/calendar.ts"],
    // What calls write down, and what is told of it without a call.
    kept: {
      sharedBy: [
        "src/commands/connection.ts",
        "src/commands/history/index.ts",
        "src/commands/store-quotas.ts",
        "src/state/journal/history.ts",
      ],
    },
    // The contract above all: a call needs nothing else of the sales figures.
    contract: { sharedBy: ["src/commands/connection.ts", "src/commands/summary.ts"] },
    summary: ["src/commands/summary.ts", "src/commands/grouped.ts"],
    call: ["src/commands/connection.ts"],
    "summary-call": ["src/commands/summary/stores.ts"],
  });
  writeFileSync(path.join(out, "package.json"), '{ "type": "commonjs" }\n');

  const { help, words } = await writeHelp(out);
  await build({
    ...common,
    entryPoints: {
      entry: "src/cli/entry.ts",
      complete: "src/cli/complete.ts",
      "next-step": "src/cli/next-step.ts",
      "load-program": "src/cli/load-program.ts",
    },
    outdir: out,
    format: "cjs",
    supported: { "dynamic-import": false },
    // The recorder of the code cache asks for the loader alone; who starts has it in the first file.
    external: ["./complete.js", "./next-step.js"],
    minifyWhitespace: true,
    define: {
      __VERSION__: JSON.stringify(version),
      __HELP__: JSON.stringify(help),
      __WORDS__: JSON.stringify(words),
    },
  });
}

/**
 * The help is the same every time: it is made here, so that printing it loads nothing.
 *
 * @param {string} folder gets two files of each language's texts, and the table that completion is answered from
 * @returns the program's own in English, and what the entry says in each language
 */
async function writeHelp(folder) {
  const file = path.join(folder, "help-texts.js");
  const made = createRequire(import.meta.url)(file);
  for (const language of ["en", "pt-BR"]) {
    const { screens, whole } = await made.helpTexts(language);
    writeFileSync(path.join(folder, `help-screen.${language}.json`), JSON.stringify(screens));
    writeFileSync(path.join(folder, `help-whole.${language}.json`), JSON.stringify(whole));
  }
  const words = { "pt-BR": await made.entryWords("pt-BR"), en: await made.entryWords("en") };
  writeFileSync(path.join(folder, "completion.json"), JSON.stringify(await made.tableForCompletion()));
  const { screens } = await made.helpTexts("en");
  writeReference(await made.reference());
  rmSync(file);
  return { help: screens[""], words };
}

/**
 * `man comanda-summary` and the rest of the manual, which npm installs, and the same as one file of Markdown.
 *
 * @param {{ manual: Record<string, string>, markdown: string }} reference
 */
function writeReference({ manual, markdown }) {
  const folder = path.join(dist, "man");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(manual)) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(dist, "reference.md"), markdown);
}

/**
 * esbuild leaves other characters in regular expressions and tagged templates. V8 takes a byte for each character of a
 * text that has none, and two of one that has a single one.
 *
 * @param {string} code
 */
function asAscii(code) {
  if (/\\[^\0-\x7f]/.test(code)) throw new Error("a character that isn't ASCII stands behind a backslash");
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * An `import` at the top of a file loads a built-in module even where this run never gets to use it. These are the
 * dear ones: each loads when the first of its names is used.
 *
 * @param {string} code
 */
function withLazyBuiltins(code) {
  return code.replaceAll(
    /^var (import_\w+) = require\("(node:(?:child_process|crypto|os|perf_hooks|stream|timers\/promises))"\);$/gm,
    'var $1 = new Proxy({}, { get: (_, name) => require("$2")[name] });',
  );
}

/**
 * The library's type declarations. What is wrong with the types, `npm run check:types` tells: to look for it here too
 * would take twice as long.
 *
 * @returns the folder that they are in
 */
async function makeTypes() {
  const types = path.join(dist, "types");
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", "tsconfig.build.json", "--noCheck", "--outDir", types];
  await run(process.execPath, [tsc, ...options], { cwd: path.join(root, ".config") });
  return types;
}

/**
 * One tree for each module system, each with its own types, so that every resolver finds a matching pair. Both are
 * split like the program: what a program doesn't call is not even read.
 *
 * @param {Promise<string>} madeTypes the folder of the declarations
 */
async function buildLibrary(madeTypes) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: { "public/index": "src/public/index.ts", "public/emulator": "src/public/emulator.ts" },
    outdir: dist,
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    write: false,
  });
  const types = await madeTypes;
  for (const [format, type] of /** @type {const} */ ([
    ["esm", "module"],
    ["cjs", "commonjs"],
  ])) {
    const outdir = path.join(dist, format);
    for (const { path: file, text } of outputFiles) {
      const target = path.join(outdir, path.relative(dist, file));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, file.endsWith(".js") ? await asModule(format, text) : text);
    }
    cpSync(types, outdir, { recursive: true });
    writeFileSync(path.join(outdir, "package.json"), `{ "type": "${type}" }\n`);
  }
  rmSync(types, { recursive: true });
}

/** The page that shows the emulator's API: offline, so it lies here and nowhere else. */
function copySwaggerUi() {
  const from = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
  const out = path.join(dist, "swagger-ui");
  mkdirSync(out, { recursive: true });
  const names = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"];
  for (const name of names) cpSync(path.join(from, name), path.join(out, name));
}

/**
 * @param {"esm" | "cjs"} format
 * @param {string} code an ES module
 */
async function asModule(format, code) {
  if (format === "cjs") {
    const options = /** @type {const} */ ({ format: "cjs", platform: "node", target: "node20.18" });
    const define = { "import.meta.dirname": "__dirname" };
    return (await transform(code, { ...options, define, supported: { "dynamic-import": false } })).code;
  }
  // Packages that are CommonJS inside ask for built-in modules with `require`, which an ES module has to make.
  return /\b__require\b/.test(code)
    ? `import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);\n${code}`
    : code;
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
  await Promise.all([types, buildProgram().then(() => buildLibrary(types))]);
  copySwaggerUi();
  makeCodeCache(path.join(dist, "cli"));
  replaceDist();
} finally {
  rmSync(dist, { recursive: true, force: true });
}
