import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** A command, an option or an environment variable, such as `comanda login`, `--store` or `COMANDA_STATE`. */
const interfaceNames = [
  "comanda (?:orders|driver|counter|prefill|history|summary|grouped|report|sync|login|logout|status|stores|demo|env|doctor|mcp|completion|help|emulator|api|openapi)\\b",
  "(?:^|[^-])--[a-z]",
  "(?:COMANDA|NODE|HTTPS?|NO)_[A-Z]",
].join("|");
const interfaceMessage =
  "Name a field, or add facts for a hint: only the front ends name commands, options and variables.";

export default defineConfig(
  { ignores: ["dist/", "coverage/", "node_modules/", ".stryker-tmp/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers and booleans are clear in a template, though the rule's default rejects them.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => { callback(); }` would be longer than each void one-liner, and no clearer.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    // Only the outermost layer uses streams, environment and exit codes, and passes on what other code needs of them. The state
    // needs process ids and whether a process still runs; the sign-in needs the process's user.
    files: ["src/**"],
    ignores: ["src/cli/**", "src/base/clock.ts", "src/state/**", "src/auth/listener.ts"],
    rules: {
      "no-restricted-globals": ["error", "process", "console"],
      "no-restricted-imports": ["error", { paths: ["process", "node:process", "node:console"] }],
    },
  },
  {
    // These layers serve every front end. Only a text has a blank or belongs to `t`; the others are keys of the environment.
    files: ["src/{base,languages,api,client,auth,state,sales,core}/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          `Literal[value=/ /][value=/${interfaceNames}/]`,
          `TemplateElement[value.raw=/${interfaceNames}/]`,
          `TaggedTemplateExpression[tag.name="t"] Literal[value=/${interfaceNames}/]`,
        ].map((selector) => ({ selector, message: interfaceMessage })),
      ],
    },
  },
  {
    files: ["test/**"],
    rules: {
      // vitest requires an object pattern as the first argument of a hook that uses the second one.
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
        __dirname: "readonly",
        module: "writable",
        process: "readonly",
        console: "readonly",
        AbortSignal: "readonly",
      },
    },
    // bin/ is CommonJS, which starts in four fifths of the time of an ES module.
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
