const belowCommands = [
  "basics",
  "clock",
  "auth",
  "client",
  "contract",
  "emulator",
  "errors",
  "openapi",
  "summary",
  "state",
  "terminal",
];

/**
 * The layers of the program, each with the layers it may import. What is not listed is forbidden.
 * @type {Record<string, string[]>}
 */
const layers = {
  basics: [],
  clock: [],
  errors: [],
  contract: [],
  client: ["basics", "contract", "errors", "clock"],
  state: ["basics", "client", "contract", "errors", "clock"],
  auth: ["basics", "client", "state", "contract", "errors", "clock"],
  terminal: ["basics", "contract", "errors", "clock"],
  summary: ["basics", "client", "contract", "errors", "clock", "terminal"],
  openapi: ["contract"],
  emulator: ["basics", "contract", "clock", "openapi"],
  library: ["auth", "basics", "client", "clock", "contract", "emulator", "errors", "state"],
  commands: belowCommands,
  cli: ["commands", ...belowCommands],
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
