// @ts-check
/**
 * Builds dist/: the program and the library as CommonJS chunks, which Node loads sooner than ES modules, and the library as ES
 * modules and with its types, too. `node .config/build.mjs quick` leaves out the types, which take five sixths of the time and
 * which nobody needs who runs something.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
  // Who imports a list of values or the errors alone gets no schema. What is loaded later shares these with the client, and no
  // more: a bundler makes functions of modules that are imported in both ways.
  codeSplitting: {
    groups: [
      {
        name: "values",
        test: /src.(?:api.(?:basics|money|values)|client.errors|languages.language)\.ts$/,
      },
    ],
  },
};

/** The library shares the program's chunks: a second copy of the emulator would be a tenth of the package. */
async function buildCommonJs() {
  await build({
    ...common,
    input: { main: "src/cli/program.ts", ...library },
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
  // A program that calls shows nobody what the API's description says of operations and fields: a tenth of what it would load.
  const transform = (/** @type {string} */ code, /** @type {string} */ id) =>
    /src.api.(?:answers|filters|input|operations)\.ts$/.test(id)
      ? {
          code: code
            .replaceAll(/"[^"\n]* Section [\d.]+"/g, '""')
            .replaceAll(/(?<=\bopen\(\s*""),\s*\w+/g, "")
            .replaceAll(/\.check\(z\.(?:describe|meta)\(.*\)\)/g, "")
            .replaceAll(/^ +(?:errorCodes|rules|section|summary): .*,$/gm, ""),
          map: null,
        }
      : null;
  await build({
    ...common,
    plugins: [{ name: "texts", transform }],
    output: { ...modules, minify: true, sourcemap: true },
  });
}

/** What is wrong with the types, `npm run check:types` tells. */
async function buildTypes() {
  const models = path.join(dist, "models.d.ts");
  const { output } = await build({ ...common, input: "src/api/filters.ts", write: false });
  const { describeFilter } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  mkdirSync(dist, { recursive: true });
  writeFileSync(models, writtenOut(path.join(root, "src/api/models.ts"), describeFilter));
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
    // A docstring has to begin a line.
    const text = readFileSync(file, "utf8").replaceAll(/(?<=;) (?=\/\*\* )/g, "\n");
    writeFileSync(file, text);
    // The same for programs that are CommonJS.
    writeFileSync(file.replace(/mts$/, "cts"), text.replaceAll(/(?<=from "\.\/[^"]+\.)mjs(?=")/g, "cjs"));
  }
}

/**
 * Writes types out that are inferred from schemas, since programs have no zod. The text that a schema's field begins with
 * becomes the field's docstring.
 *
 * @param {string} file
 * @param {(name: string) => string | undefined} describeFilter has the texts of fields that no schema has
 */
function writtenOut(file, describeFilter) {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([file], { ...options, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const exported = (source?.statements ?? []).flatMap((node) =>
    (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.modifiers ? [node] : [],
  );
  const names = new Map(exported.map(({ name }) => [checker.getTypeAtLocation(name), name.text]));
  /** @type {(type: ts.Type) => string} */
  const fieldsOf = (type) => {
    const fields = checker.getPropertiesOfType(type).map((field) => {
      const [declaration] = field.declarations ?? [];
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const [, text = describeFilter(field.name)] =
        /"((?:[^"\\]|\\.)* Sections? [\d.]+)"/.exec(declaration?.getText() ?? "") ?? [];
      return `${text === undefined ? "" : `/** ${text} */\n`}${field.name}${isOptional ? "?" : ""}: ${written(checker.getTypeOfSymbol(field), isOptional)};`;
    });
    return `{\n${fields.join("\n")}\n}`;
  };
  /** @type {(type: ts.Type, isOptional?: boolean) => string} */
  const written = (type, isOptional = false) => {
    const choices = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => !isOptional || (flags & ts.TypeFlags.Undefined) === 0,
    );
    return choices.map((choice) => names.get(choice) ?? spelled(choice)).join(" | ") || "never";
  };
  /** @type {(type: ts.Type) => string} */
  const spelled = (type) => {
    if (checker.isArrayType(type)) {
      const [member = type] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      return `${type.symbol.name}<${written(member)}>`;
    }
    const isText = type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    if (isObject && !isText && checker.getPropertiesOfType(type).length > 0) return fieldsOf(type);
    return isText ? `(${checker.typeToString(type)})` : checker.typeToString(type);
  };
  const declarations = exported.map((node) => {
    const docs = node.getFullText().slice(0, node.getLeadingTriviaWidth()).trim();
    const type = checker.getTypeAtLocation(node.name);
    const text = type.isUnion() ? written(type) : spelled(type);
    const head = text.startsWith("{") ? `interface ${node.name.text}` : `type ${node.name.text} =`;
    return `${docs}\nexport ${head} ${text}\n`;
  });
  return declarations.join("\n");
}

rmSync(dist, { recursive: true, force: true });
const isQuick = process.argv[2] === "quick";
await Promise.all([buildCommonJs(), buildModules(), ...(isQuick ? [] : [buildTypes()])]);
