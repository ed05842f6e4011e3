import path from "node:path";

import js from "@eslint/js";
import tseslint from "typescript-eslint";

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
    // Streams, environment and exit codes are the program's own edge; everything else is given what it needs of them. State
    // asks which process it runs in, and whether another one still does; the sign-in, whose it is.
    files: ["src/**"],
    ignores: ["src/cli/**", "src/base/clock.ts", "src/state/**", "src/auth/listener.ts"],
    rules: {
      "no-restricted-globals": ["error", "process", "console"],
      "no-restricted-imports": ["error", { paths: ["process", "node:process", "node:console"] }],
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
        __dirname: "readonly",
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
