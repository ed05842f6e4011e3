/**
 * The layers, each with the layers that it may import. All others are forbidden.
 * @type {Record<string, string[]>}
 */
const layers = {
  languages: [],
  base: ["languages"],
  api: ["base", "languages"],
  emulator: ["api", "base", "languages"],
  client: ["api", "base", "languages"],
  state: ["client", "api", "base", "languages"],
  auth: ["client", "state", "api", "base", "languages"],
  // Of the client, only its types.
  sales: ["client", "api", "base", "languages"],
  core: ["sales", "auth", "client", "state", "api", "base", "languages"],
  cli: ["core", "sales", "auth", "state", "client", "api", "base", "languages"],
  views: ["cli", "core", "sales", "auth", "client", "state", "api", "base", "languages"],
  library: ["core", "auth", "client", "emulator", "sales", "state", "api", "base", "languages"],
  mcp: ["views", "cli", "core", "sales", "auth", "state", "client", "api", "base", "languages"],
  commands: [
    "mcp",
    "views",
    "cli",
    "core",
    "sales",
    "emulator",
    "auth",
    "client",
    "state",
    "api",
    "base",
    "languages",
  ],
};

/**
 * This file of src/cli is above all layers: it loads the commands and runs them, and nothing imports it. All other files of
 * src/cli are below src/commands, which imports them: the context, the output, the prompts.
 */
const program = "^src/cli/main[.]ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-tests-in-source",
      severity: "error",
      from: { path: "^src" },
      to: { path: "^test" },
    },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `layer-${layer}`,
      comment: `src/${layer} may import only: ${[layer, ...below].join(", ")}`,
      severity: /** @type {const} */ ("error"),
      from: { path: `^src/${layer}/`, pathNot: program },
      to: { path: "^src/", pathNot: `^src/(${[layer, ...below].join("|")})/` },
    })),
    {
      name: "program-is-above-all",
      comment: "no file may import the one that loads the commands",
      severity: "error",
      from: { path: "^src/", pathNot: program },
      to: { path: program },
    },
    {
      name: "client-runs-anywhere",
      comment:
        "the library's client runs wherever fetch exists, so it imports neither Node's modules nor the program's",
      severity: "error",
      from: { path: "^src/library/index\\.ts$" },
      to: {
        path: "^node:|^node_modules/(?!zod/|temporal-)|^src/(?!library|client|api|base|languages/.*|sales/(?:fetch|figures|group-days|period)\\.ts)",
        reachable: true,
      },
    },
    {
      name: "sales-call-what-is-passed",
      comment: "src/sales is pure, except for the calls passed to it, so it imports only types of src/client",
      severity: "error",
      from: { path: "^src/sales/" },
      to: { path: "^src/client/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
    },
  },
};
