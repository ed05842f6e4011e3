import path from "node:path";

import js from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * Where the disk, the clock, chance, the network and other processes really are. All other code below src/cli is given
 * them, so that test/simulation can play them. Each file has its reason.
 */
export const theRealWorld = [
  // The real disk, chance and clock, which src/cli and the library hand out.
  "src/shared/{disk,system,clock,runtime}.ts",
  // The real process table: /proc, the system's own names.
  "src/state/locks/process-identity.ts",
  // Asks the system where the home folder is.
  "src/state/files/config-folder.ts",
  // Loads SQLite, which opens its files by itself.
  "src/state/{sqlite/sqlite,chain/postgres}-driver.ts",
  // conf writes the settings by itself.
  "src/state/settings/write-settings.ts",
  // The real network, behind Transport.
  "src/client/http/{undici-transport,exchange,fetch-transport}.ts",
  // What a program gets that gives its client no chance of its own.
  "src/client/client-options.ts",
  // The browser comes back to a listener on this machine.
  "src/auth/redirect-listener.ts",
  "src/shared/free-port.ts",
  // Files and pipes of the person's own, which are streamed.
  "src/toolkit/input-file.ts",
  "src/commands/api/input.ts",
  // Other programs, and the folders that they are run in.
  "src/commands/emulator/{run-child,scratch-machine}.ts",
  "src/commands/demo/*.ts",
  "src/commands/sql/reader.ts",
  // The service itself, for trying and testing: to listen is its job, and its own clock is given by its options.
  "src/emulator/**",
];

const why = "Take it from what you are given: see theRealWorld in .config/eslint.config.js.";
const globalsOfTheWorld = [
  "fetch",
  "performance",
  "crypto",
  "setTimeout",
  "setInterval",
  "WebSocket",
  "EventSource",
];
const givenGlobals = globalsOfTheWorld.map((name) => ({ name, message: why }));
const givenProperties = [
  ["Date", "now"],
  ["Math", "random"],
  ["AbortSignal", "timeout"],
  ...[...globalsOfTheWorld, "process", "console"].map((name) => ["globalThis", name]),
].map(([object, property]) => ({ object, property, message: why }));
/** All of these modules, by each of their names; of those that are harmless in part, what is not. */
const worldModules = [
  ...["fs", "fs/promises", "net", "tls", "dgram", "dns", "dns/promises", "http2", "https"],
  ...["child_process", "cluster", "worker_threads", "os", "perf_hooks", "timers", "timers/promises"],
  // `createRequire` would load any of the others.
  "module",
];
const inPart = {
  http: ["createServer", "request", "get", "Agent", "Server"],
  crypto: [
    ...["randomBytes", "randomFill", "randomFillSync", "randomInt", "randomUUID"],
    ...["webcrypto", "getRandomValues"],
  ],
};
/** @param {string} name */
const spellings = (name) => [name, `node:${name}`];
const wholeModules = [
  ...[...worldModules, "process", "console"].flatMap(spellings),
  ...["undici", "conf", "open"],
];
const givenModules = [
  ...wholeModules.map((name) => ({ name, message: why, allowTypeImports: true })),
  ...Object.entries(inPart).flatMap(([module, importNames]) =>
    spellings(module).map((name) => ({ name, importNames, message: why })),
  ),
];

const givenSyntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: why },
  { selector: "CallExpression[callee.name='Date']", message: why },
  // Where the machine is may be asked; what time it is there, not.
  {
    selector: "MemberExpression[object.property.name='Now'][property.name!='timeZoneId']",
    message: why,
  },
  ...wholeModules.map((name) => ({
    selector: `ImportExpression[source.value='${name}']`,
    message: why,
  })),
];

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "node_modules/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: path.resolve(import.meta.dirname, "..") },
    },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers and booleans print as themselves; the rule's default refuses even those in a template.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => { callback(); }` for every void one-liner hides more than it shows.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    // Only the program's own edge may touch the process; everything below is given what it needs. The one
    // timer that all processes of a machine share is nowhere else. Node's warning about its own SQLite has to be
    // kept from people while it is loaded.
    files: ["src/**"],
    ignores: ["src/cli/**", "src/shared/runtime.ts", "src/state/sqlite/sqlite-driver.ts"],
    rules: {
      "no-restricted-globals": ["error", "process", "console"],
      "no-restricted-imports": ["error", { paths: ["process", "node:process", "node:console"] }],
    },
  },
  {
    // What a simulated world plays has to be given: the disk, the clock, chance, the network, other processes.
    files: ["src/**"],
    ignores: ["src/cli/**", ...theRealWorld],
    rules: {
      "no-restricted-globals": ["error", ...givenGlobals, "process", "console"],
      "no-restricted-properties": ["error", ...givenProperties],
      "no-restricted-syntax": ["error", ...givenSyntax],
      "no-restricted-imports": "off",
      "@typescript-eslint/no-restricted-imports": ["error", { paths: givenModules }],
    },
  },
  {
    files: ["test/**"],
    rules: {
      // vitest takes nothing else as the first argument of a hook that wants the second.
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "vitest", importNames: ["it"], message: "Tests are written with test()." }] },
      ],
    },
  },
  {
    files: ["bin/**", "examples/**", ".config/**/*.{js,cjs,mjs}", "test/**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        require: "readonly",
        module: "writable",
        process: "readonly",
        console: "readonly",
        AbortSignal: "readonly",
      },
    },
    // bin/ is CommonJS: it starts in four fifths of the time an ES module takes.
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
