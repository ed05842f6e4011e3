const belowCommands = [
  "auth",
  "client",
  "contract",
  "emulator",
  "openapi",
  "shared",
  "sales",
  "state",
  "terminal",
  "toolkit",
];

/**
 * The layers of the program, each with the layers it may import. What is not listed is forbidden.
 * @type {Record<string, string[]>}
 */
const layers = {
  shared: [],
  languages: ["shared"],
  contract: ["shared"],
  client: ["contract", "shared"],
  state: ["client", "contract", "shared"],
  auth: ["client", "state", "contract", "shared"],
  terminal: ["contract", "shared"],
  toolkit: ["auth", "client", "contract", "shared", "state", "terminal"],
  sales: ["client", "contract", "languages", "shared", "state", "terminal", "toolkit"],
  openapi: ["contract"],
  emulator: ["contract", "shared"],
  public: ["auth", "client", "contract", "emulator", "sales", "shared", "state"],
  commands: belowCommands,
  cli: ["commands", "languages", ...belowCommands],
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
      from: { path: "^src/public/index\\.ts$" },
      to: {
        path: "^node:|^node_modules/(?!zod/|temporal-)|^src/(?!public|client|contract|shared|sales/(?:ask|calendar|figures|group-days|names|period|windows)\\.ts)",
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
