/** The library's types with other versions of TypeScript, kinds of modules and runtimes. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

import { compiled, modules, packageUser, root } from "../support/package-user.js";

const { folder, installed } = packageUser(["undici-types"]);
const nodeTypes = path.join(folder, "node_modules", "@types");
const compilers = path.join(folder, "compilers");

/** A program that handles each code. The sources have more of them, for the command line. */
const everyCode = `
export const exitCode = (code: ErrorCode): number => {
  switch (code) {
    case "callback_failed": return 1;
    case "usage": case "invalid_input": case "invalid_request": case "configuration": case "state_unusable": return 2;
    case "not_signed_in": case "token_refused": return 3;
    case "forbidden": case "access_denied": return 4;
    case "not_found": return 5;
    case "status_conflict": return 6;
    case "rate_limited": return 7;
    case "lock_timeout": case "unreachable": case "server_error": case "unexpected_answer": return 8;
    case "outcome_unknown": return 9;
    case "interrupted": return 130;
  }
};
`;

beforeAll(() => {
  cpSync(path.join(root, "package.json"), path.join(installed, "package.json"));
  cpSync(path.join(root, "dist", "library"), path.join(installed, "dist", "library"), { recursive: true });
  cpSync(path.join(modules, "@types", "node"), path.join(nodeTypes, "node"), { recursive: true });
  const install = ["install", "--prefix", compilers, "--ignore-scripts", "--no-audit", "--silent"];
  const others = ["5.4@npm:typescript@5.4.5", "5.9@npm:typescript@5.9", "7@npm:typescript@7"];
  const packages = [...others.map((each) => `typescript-${each}`), "node-fetch@3", "@types/node-fetch@2"];
  execFileSync("npm", [...install, ...packages], { shell: process.platform === "win32" });
  const fetches = { "node-fetch-2": "@types/node-fetch", "node-fetch-3": "node-fetch" };
  for (const [name, source] of Object.entries(fetches))
    symlinkSync(path.join(compilers, "node_modules", source), path.join(folder, "node_modules", name));

  // The same programs that `npm run check:types` compiles against the sources, as an ES module and as CommonJS.
  const source = readFileSync(path.join(root, "test/library/wrong-programs.test.ts"), "utf8");
  const programs = source
    .slice(0, source.indexOf('test("each wrong program'))
    .replaceAll(/^import .* from "(?:node:fs|vitest)";\n/gm, "")
    .replace("../../src/library/index.js", "comanda")
    .replace("../../src/library/emulator.js", "comanda/testing")
    .replace("../../src/library/node.js", "comanda/node")
    .replace("../../src/library/oauth.js", "comanda/oauth")
    .concat(
      "export { wrong, right };\n",
      "// @ts-expect-error -- only the command line has this code\n",
      'export const code: ErrorCode = "some_failed";\n',
      everyCode,
    );
  for (const name of ["programs.mts", "programs.cts"]) writeFileSync(path.join(folder, name), programs);
});

describe.each<readonly [name: string, folder: string]>([
  ["TypeScript 5.4", path.join(compilers, "node_modules/typescript-5.4")],
  ["TypeScript 5.9", path.join(compilers, "node_modules/typescript-5.9")],
  ["TypeScript 7", path.join(compilers, "node_modules/typescript-7")],
  [`TypeScript ${ts.version}`, path.join(modules, "typescript")],
])("%s", (_, typescript) => {
  /** Returns the compiler's errors about the programs and the declarations that they import. */
  const faults = (...options: readonly string[]) => {
    const all = ["--noEmit", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
    return compiled(folder, [...all, ...options, "programs.mts", "programs.cts"], typescript);
  };

  test("accepts right programs and rejects wrong ones, in Node with and without lib: dom", () => {
    expect(faults("--lib", "ES2022,DOM", "--types", "node")).toBe("");
    expect(faults("--lib", "ES2022", "--types", "node")).toBe("");
  });

  test("accepts the fetch of undici and of node-fetch", () => {
    const program = `
      import { createClient } from "comanda";
      import type { fetch as undici } from "undici-types";
      import type two from "node-fetch-2";
      import type three from "node-fetch-3";
      export const clients = (fetch: typeof undici | typeof two.default | typeof three) =>
        createClient({ baseUrl: "https://api.example", credentials: { bearer: "TOKEN" }, fetch });`;
    writeFileSync(path.join(folder, "fetch.mts"), program);
    const options = ["--noEmit", "--exactOptionalPropertyTypes", "--skipLibCheck", "--types", "node"];
    expect(compiled(folder, [...options, "fetch.mts"], typescript)).toBe("");
  });

  test("does the same in a browser or a worker, without the types of Node", () => {
    const aside = `${nodeTypes}-aside`;
    renameSync(nodeTypes, aside);
    try {
      expect(faults("--lib", "ES2022,DOM")).toBe("");
    } finally {
      renameSync(aside, nodeTypes);
    }
  });
});

test("an error's code and each reading have a docstring", () => {
  const file = path.join(folder, "docs.mts");
  const exported =
    'export type { ErrorCode } from "comanda"; export type { Readings } from "comanda/testing";';
  writeFileSync(file, exported);
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) ?? expect.unreachable());
  const symbols = checker.getExportsOfModule(module ?? expect.unreachable());
  const [code, readings] = symbols.map((symbol) => checker.getAliasedSymbol(symbol));
  const docsOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));
  expect(docsOf(code ?? expect.unreachable())).toContain("`not_found`: the order or the path doesn't exist");
  const each = checker.getDeclaredTypeOfSymbol(readings ?? expect.unreachable()).getProperties();
  expect(each.map(({ name }) => name)).toContain("conflict_status");
  const withoutDefault = each.filter((reading) => !/Section \d.* Default: /.test(docsOf(reading)));
  expect(withoutDefault.map(({ name }) => name)).toEqual([]);
});
