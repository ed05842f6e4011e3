// @ts-check
/**
 * Builds dist/: the program and the library as CommonJS chunks, which Node loads faster than ES modules, and the library also as ES
 * modules, with its types. `node .config/build.mjs quick` leaves out the types, which take five sixths of the time and aren't needed
 * to run anything.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "rolldown";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { dts } from "rolldown-plugin-dts";
import ts from "typescript";

const root = path.resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const dist = path.join(root, "dist");
const libraryFolder = path.join(dist, "library");

const isQuick = process.argv[2] === "quick";

/** The entry points of the library, with their sources. */
const library = {
  index: "src/library/index.ts",
  oauth: "src/library/oauth.ts",
  node: "src/library/node.ts",
  testing: "src/library/emulator.ts",
};

/**
 * Node prints the line that threw an uncaught error, which here is kilobytes of minified code, unless it contains these words. The
 * stack names the program's own line. At the start of a file, they would shift the columns of its source map.
 *
 * @type {import("rolldown").Plugin}
 */
const withoutExceptionLine = {
  name: "without-exception-line",
  generateBundle(_, files) {
    const mark = "/*node-do-not-add-exception-line*/";
    for (const file of Object.values(files))
      if (file.type === "chunk")
        file.code = (isQuick ? "" : mark) + file.code.replace(/(?=\n(?:\/\/#.*\n?)?$)|$/, mark);
  },
};

/** The folders of the packages whose code is in the output. @type {Set<string>} */
const included = new Set();

/** Notes which packages the bundler included, because their licenses require a notice. @type {import("rolldown").Plugin} */
const notesPackages = {
  name: "notes-packages",
  generateBundle(_, files) {
    for (const file of Object.values(files))
      for (const id of file.type === "chunk" ? file.moduleIds : []) {
        const [folder] = /^\0*[^?\0]*?[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
        if (folder?.startsWith(root)) included.add(folder);
      }
  },
};

/** Writes the licenses of the included packages into the package. */
function writeNotices() {
  const notices = [...included].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? `License: ${license}` : readFileSync(path.join(folder, file), "utf8");
    return `## ${name} ${version} (${license})\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
  });
  const unique = [...new Set(notices)].sort();
  const head = "# Third-party notices\n\nThe files in `dist` contain code of these packages.\n";
  writeFileSync(path.join(root, "THIRD-PARTY-NOTICES.md"), [head, ...unique].join("\n"));
}

/** What packages import for something that comanda never uses; see unused.mjs. @type {Record<string, string[]>} */
const unusedImports = {
  commander: ["node:child_process"],
  "@hono/node-server": ["node:http2"],
  undici: ["node:http", "node:http2", "./client-h2.js", "../web/fetch/body.js"],
};

/** Resolves them to unused.mjs. The packages' code stays as it is. @type {import("rolldown").Plugin} */
const withoutUnused = {
  name: "without-unused",
  resolveId(id, importer = "") {
    const [, name = ""] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(importer) ?? [];
    const isUnused = unusedImports[name.replace("\\", "/")]?.includes(id);
    return isUnused ? path.join(root, ".config/unused.mjs") : null;
  },
};

/** @type {import("rolldown").InputOptions} */
const common = {
  cwd: root,
  input: library,
  platform: "node",
  // Users install pg only if they store the state in PostgreSQL.
  external: ["pg"],
  moduleTypes: { ".css": "text", ".md": "text", ".sql": "text", ".txt": "text" },
  transform: { target: "node20.18", define: { __VERSION__: JSON.stringify(version) } },
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
};

/** @type {import("rolldown").OutputOptions} */
const modules = {
  dir: libraryFolder,
  format: "esm",
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs",
  // A program that imports only a list of values or the errors loads no schemas.
  codeSplitting: { groups: [{ name: "values", test: /src.(?:api.values|base.errors)\.ts$/ }] },
};

/** The SDK of `comanda mcp`. */
const mcpSdk = path.join(root, "src/mcp/sdk.ts");
/** undici's parser for machines whose WebAssembly has no SIMD. In its own file, it is loaded only there. */
const plainParser = path.join(root, "node_modules/undici/lib/llhttp/llhttp-wasm.js");

/**
 * What most commands load, in four files, because each file costs. The library's client loads two of them, and needs no module of
 * Node. `$initial` leaves out what is loaded only sometimes; so does the number of commands that load a module.
 *
 * @type {import("rolldown").CodeSplittingGroup[]}
 */
const chunks = [
  // Two modules of the API's values have no schemas, and the program's words need them.
  {
    name: "base",
    priority: 4,
    test: /src.(?:base|languages|api.(?:money|values))[^.]*[.]ts$/,
    tags: ["$initial"],
  },
  {
    name: "client",
    priority: 3,
    test: /src.(?:api|client).(?!http)|node_modules.zod/,
    minShareCount: 8,
  },
  { name: "call", priority: 2, test: /src.(?:client.http|state.(?!answer)|auth|core)/, minShareCount: 8 },
  { name: "cli", priority: 1, test: /src.cli.|node_modules.commander/, tags: ["$initial"] },
];

/** Builds the CommonJS chunks, which the program and the library share: a second emulator would be a tenth of the package. */
async function buildCommonJs() {
  await build({
    ...common,
    plugins: [withoutUnused, notesPackages, withoutExceptionLine],
    input: { main: "src/cli/main.ts", ...library },
    external: ["pg", plainParser, mcpSdk],
    output: {
      dir: dist,
      paths: { [plainParser]: "./cli/llhttp-wasm.js", [mcpSdk]: "./cli/mcp-sdk.js" },
      format: "cjs",
      entryFileNames: ({ name }) => (name === "main" ? "cli/main.js" : "library/[name].cjs"),
      chunkFileNames: "cli/[name]-[hash].js",
      codeSplitting: { groups: chunks },
      minify: true,
      // The package contains no source maps, and no comments that name them.
      sourcemap: isQuick,
    },
  });
  copyFileSync(plainParser, path.join(dist, "cli", "llhttp-wasm.js"));
  writeFileSync(path.join(dist, "cli", "package.json"), '{ "type": "commonjs" }\n');
}

async function buildModules() {
  const spanFigures = path.join(root, "src/library/span-figures.ts");
  // It contains copies of what it shares with the client, because bundlers wrap a module that is imported both statically and
  // dynamically in a function.
  await build({
    ...common,
    input: { "span-figures": spanFigures },
    plugins: [withoutUnused, notesPackages, withoutExceptionLine],
    output: { ...modules, minify: true, sourcemap: isQuick },
  });
  await build({
    ...common,
    external: ["pg", spanFigures],
    // In its own file, a bundler can leave it out of a program without salesFigures.
    input: { ...library, "sales-figures": "src/library/sales-figures.ts" },
    // Without the plugin, undici would load Node's modules through createRequire(import.meta.url), which fails in other programs'
    // bundles. undici uses node:sqlite only for caches, which comanda doesn't use, and Node 20 doesn't have it.
    resolve: { alias: { "node:sqlite": false } },
    // Otherwise, an unused import of node:module remains.
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [
      withoutUnused,
      esmExternalRequirePlugin({ external: [/^node:(?!sqlite)/] }),
      notesPackages,
      withoutExceptionLine,
    ],
    output: { ...modules, paths: { [spanFigures]: "./span-figures.mjs" }, minify: true, sourcemap: isQuick },
  });
}

/** Builds the SDK with its own copy of zod, because the SDK uses all of it and the program's chunks only a part. */
async function buildSdk() {
  await build({
    ...common,
    plugins: [withoutUnused, notesPackages, withoutExceptionLine],
    input: { "mcp-sdk": mcpSdk },
    output: { dir: path.join(dist, "cli"), format: "cjs", minify: true, sourcemap: isQuick },
  });
}

/** Builds the types. `npm run check:types` reports their errors. */
async function buildTypes() {
  const models = path.join(dist, "models.d.ts");
  mkdirSync(dist, { recursive: true });
  writeFileSync(models, writtenOut(path.join(root, "src/api/models.ts")));
  const resolveId = /** @type {const} */ ({
    order: "pre",
    handler: (/** @type {string} */ id) => (/(?:^|\/)models\.js$/.test(id) ? models : null),
  });
  const plugins = [
    { name: "models", resolveId },
    dts({ emitDtsOnly: true, sourcemap: false, compilerOptions: { noCheck: true, stripInternal: true } }),
  ];
  await build({ ...common, plugins, output: modules });
  rmSync(models);
  for (const name of readdirSync(libraryFolder).filter((each) => each.endsWith(".d.mts"))) {
    const file = path.join(libraryFolder, name);
    // A docstring must be at the start of a line.
    const text = readFileSync(file, "utf8")
      .replaceAll(/(?<=;) (?=\/\*\* )/g, "\n")
      // A reading's docstring is its own text.
      .replaceAll(
        /^ *\w+: \{\s+section: "(.+)";\s+values: readonly \[([^,\]]+).*;\s+text: "(.+)";$/gm,
        (reading, section, usual, says) =>
          `/** ${says} Section ${section}. Default: ${usual}. */\n${reading}`,
      );
    writeFileSync(file, text);
    // CommonJS programs need the same types in a .d.cts file.
    writeFileSync(file.replace(/mts$/, "cts"), text.replaceAll(/(?<=from "\.\/[^"]+\.)mjs(?=")/g, "cjs"));
  }
}

/** Types whose schemas have another name in descriptions.json. */
const schemaNames = new Map([
  ["DriverInput", "AssignDriver"],
  ["CancelInput", "CancelOrder"],
  ["PrefilledDelivery", "NewPrefilledOrder"],
]);

/**
 * Writes out the types that are inferred from schemas, because programs have no zod. Each field gets its text from
 * descriptions.json as its docstring.
 *
 * @param {string} file
 */
function writtenOut(file) {
  const { fields, filters } = JSON.parse(readFileSync(path.join(root, "src/api/descriptions.json"), "utf8"));
  /** @type {Record<string, Record<string, string>>} */
  const texts = { ...fields, Filters: filters };
  /** @type {Map<ts.Declaration | undefined, string>} The texts of fields that several types share. */
  const shared = new Map();
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([file], { ...options, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const exported = (source?.statements ?? []).flatMap((node) =>
    (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.modifiers ? [node] : [],
  );
  const names = new Map(exported.map(({ name }) => [checker.getTypeAtLocation(name), name.text]));
  /** @type {(type: ts.Type, place: string) => string} */
  const fieldsOf = (type, place) => {
    const lines = checker.getPropertiesOfType(type).map((field) => {
      const [declaration] = field.declarations ?? [];
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const text = texts[place]?.[field.name] ?? shared.get(declaration);
      if (text !== undefined) shared.set(declaration, text);
      const value = written(checker.getTypeOfSymbol(field), `${place}.${field.name}`);
      return `${text === undefined ? "" : `/** ${text} */\n`}${field.name}${isOptional ? "?" : ""}: ${value};`;
    });
    return `{\n${lines.join("\n")}\n}`;
  };
  /** @type {(type: ts.Type, place: string) => string} */
  const written = (type, place) =>
    (type.isUnion() ? type.types : [type])
      .map((choice) => names.get(choice) ?? spelled(choice, place))
      .join(" | ");
  /** @type {(type: ts.Type, place: string) => string} */
  const spelled = (type, place) => {
    if (checker.isArrayType(type)) {
      const [member = type] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      return `${type.symbol.name}<${written(member, place)}>`;
    }
    const isText = type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    if (isObject && !isText && checker.getPropertiesOfType(type).length > 0) return fieldsOf(type, place);
    return isText ? `(${checker.typeToString(type)})` : checker.typeToString(type);
  };
  const declared = (/** @type {(typeof exported)[number]} */ node) => {
    const docs = node.getFullText().slice(0, node.getLeadingTriviaWidth()).trim();
    const type = checker.getTypeAtLocation(node.name);
    const place = schemaNames.get(node.name.text) ?? node.name.text;
    const text = type.isUnion() ? written(type, place) : spelled(type, place);
    const head = text.startsWith("{") ? `interface ${node.name.text}` : `type ${node.name.text} =`;
    return `${docs}\nexport ${head} ${text}\n`;
  };
  // The first pass finds the texts of shared fields, because a type may precede the one whose path has the text.
  exported.forEach(declared);
  return exported.map(declared).join("\n");
}

rmSync(dist, { recursive: true, force: true });
await Promise.all([buildCommonJs(), buildSdk(), buildModules(), ...(isQuick ? [] : [buildTypes()])]);
writeNotices();
