// @ts-check
/**
 * Builds dist/: the program and the library as CommonJS chunks, which Node loads sooner than ES modules, and the library as ES
 * modules and with its types, too. `npm run build` does all that is needed before a first run; `node .config/build.mjs quick`
 * leaves out what the program doesn't need.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import ts from "typescript";

const root = path.resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const dist = path.join(root, "dist");
const libraryFolder = path.join(dist, "library");

/** What programs import, each with its source. */
const library = {
  index: "src/library/index.ts",
  oauth: "src/library/oauth.ts",
  node: "src/library/node.ts",
  testing: "src/library/emulator.ts",
};

/** @type {import("rolldown").InputOptions} */
const common = {
  cwd: root,
  input: library,
  platform: "node",
  // Only who keeps state in PostgreSQL installs it.
  external: ["pg"],
  moduleTypes: { ".css": "text", ".md": "text", ".sql": "text" },
  transform: { target: "node20.18", define: { __VERSION__: JSON.stringify(version) } },
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
};

/** @type {import("rolldown").OutputOptions} */
const modules = {
  dir: libraryFolder,
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs",
};

/** The library shares the program's chunks: a second copy of the emulator would be a tenth of the package. */
async function buildCommonJs() {
  await build({
    ...common,
    input: { main: "src/cli/main.ts", ...library },
    output: {
      dir: dist,
      format: "cjs",
      entryFileNames: ({ name }) => (name === "main" ? "cli/main.js" : "library/[name].cjs"),
      chunkFileNames: "cli/[name]-[hash].js",
      minify: true,
      sourcemap: true,
    },
  });
  writeFileSync(path.join(dist, "cli", "package.json"), '{ "type": "commonjs" }\n');
}

async function buildModules() {
  await build({ ...common, output: { ...modules, minify: true, sourcemap: true } });
}

/** What is wrong with the types, `npm run check:types` tells. */
async function buildTypes() {
  const plugin = dts({ emitDtsOnly: true, sourcemap: false, compilerOptions: { noCheck: true } });
  await build({ ...common, plugins: [plugin], output: modules });
  const { output } = await build({ ...common, input: "src/api/descriptions.ts", write: false });
  const { fieldText } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  for (const name of readdirSync(libraryFolder).filter((each) => each.endsWith(".d.mts"))) {
    const file = path.join(libraryFolder, name);
    const text = described(readFileSync(file, "utf8"), fieldText);
    writeFileSync(file, text);
    // The same for programs that are CommonJS.
    writeFileSync(file.replace(/mts$/, "cts"), text.replaceAll(/(?<=from "\.\/[^"]+\.)mjs(?=")/g, "cjs"));
  }
}

/**
 * Gives the fields of the API's types their docstrings, which the contract has.
 *
 * @param {string} text
 * @param {(type: string, field: string) => string | undefined} textOf
 */
function described(text, textOf) {
  const source = ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.ESNext, true);
  const docs = source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
    members.flatMap((member) => {
      const doc = textOf(name.text, member.name?.getText() ?? "");
      return doc === undefined ? [] : [{ at: member.getStart(), doc }];
    }),
  );
  return docs.reduceRight(
    (rest, { at, doc }) => `${rest.slice(0, at)}/** ${doc} */\n  ${rest.slice(at)}`,
    text,
  );
}

rmSync(dist, { recursive: true, force: true });
const isQuick = process.argv[2] === "quick";
await Promise.all([buildCommonJs(), ...(isQuick ? [] : [buildModules(), buildTypes()])]);
