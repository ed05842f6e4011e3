/**
 * The layers of the program, each with the layers it may import. What is not listed is forbidden.
 * @type {Record<string, string[]>}
 */
const layers = {
  languages: [],
  api: ["languages"],
  emulator: ["api", "languages"],
  client: ["api", "languages"],
  state: ["client", "api", "languages"],
  auth: ["client", "state", "api", "languages"],
  terminal: ["state", "client", "api", "languages"],
  toolkit: ["auth", "client", "terminal", "state", "api", "languages"],
  sales: ["client", "state", "api", "languages", "terminal", "toolkit"],
  library: ["auth", "client", "emulator", "sales", "state", "api", "languages"],
  commands: ["auth", "client", "emulator", "sales", "state", "api", "languages", "terminal", "toolkit"],
  cli: ["commands", "auth", "client", "sales", "state", "api", "languages", "terminal", "toolkit"],
};

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
      from: { path: `^src/${layer}/` },
      to: { path: "^src/", pathNot: `^src/(${[layer, ...below].join("|")})/` },
    })),
    {
      name: "client-runs-anywhere",
      comment: "`comanda` runs wherever there is a fetch: nothing of Node's, and nothing of the program",
      severity: "error",
      from: { path: "^src/library/index\\.ts$" },
      to: {
        path: "^node:|^node_modules/(?!zod/|temporal-)|^src/(?!library|client|api|languages/.*|sales/(?:ask|calendar|figures|group-days|names|period|windows)\\.ts)",
        reachable: true,
      },
    },
    {
      name: "sales-figures-are-no-text",
      comment:
        "what asks, adds up and compares uses neither src/terminal nor src/toolkit, and no state but by its types",
      severity: "error",
      from: { path: "^src/sales/(?:ask|calendar|figures|filters|group-days|names|period|windows)[.]ts$" },
      to: { path: "^src/(terminal|toolkit)/" },
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
