// @ts-check
/**
 * What is rewritten of esbuild's output so that a command starts sooner, each with what it saves: processor time of a whole
 * command without it to that with it, medians of 31 pairs on Node 20.20 in November 2026. Without all three it is 1.11 for
 * `status` and 1.07 for `driver assign`. A form that esbuild doesn't write any more is left as it is: slower, never wrong.
 */
import ts from "typescript";

/** @param {string} code CommonJS, as esbuild writes it */
export function quickStart(code) {
  return withSmallExports(withPlainModules(withLazyBuiltins(code)));
}

/**
 * An `import` at the top of a file loads a built-in module even where this run never gets to use it. These are the
 * dear ones: each loads when the first of its names is used.
 *
 * 1.07 for `status` and 1.2 MiB of its memory, 1.05 for `quota`, 1.01 for `driver assign`, which uses them.
 *
 * @param {string} code
 */
function withLazyBuiltins(code) {
  return code.replaceAll(
    /^var ([\w$]+) = require\("(node:(?:child_process|crypto|module|os|perf_hooks|stream|tty|timers\/promises|zlib))"\);$/gm,
    'var $1 = new Proxy({}, { get: (_, name) => require("$2")[name] });',
  );
}

/**
 * esbuild copies each module that a file imports into an object of getters, name by name. Of a built-in one there is
 * nothing to copy but the default; a chunk is such an object already. And `require` makes an ES module of each built-in
 * one.
 *
 * 1.02 for `status`, 1.03 for `quota`, 1.05 for `driver assign`.
 *
 * @param {string} code
 */
function withPlainModules(code) {
  return code
    .replaceAll(
      /__toESM\(require\("(node:[\w/]+)"\)(?:, 1)?\)/g,
      '((all) => ({ __proto__: all, default: all }))(require("$1"))',
    )
    .replaceAll(/\brequire\("(node:[\w/]+)"\)/g, 'process.getBuiltinModule("$1")')
    .replaceAll(/__toESM\(require\("(\.\/[\w-]+\.js)"\)\)/g, 'require("$1")');
}

/**
 * esbuild exports by way of a copy, with half a kilobyte of helpers in each chunk, and a getter for each name: a value does
 * where it stays the same once the chunk has run. And esbuild names an imported chunk at length wherever it is used.
 *
 * 1.03 for `status`, 1.05 for `quota`, 1.06 for `driver assign`, 1.08 for a dry run; 1.1 MB of dist.
 *
 * @param {string} code CommonJS
 */
function withSmallExports(code) {
  const [whole, list = ""] = /__export\(stdin_exports, \{\n([^}]*)\}\);\n/.exec(code) ?? [];
  if (whole === undefined) return code;
  const changing = changingNames(code);
  const exported = [...list.matchAll(/^ {2}([\w$]+): \(\) => (.+?),?$/gm)].map(
    ([, name = "", value = ""]) => ({
      name,
      value,
      isLive: changing.has(value) || !/^[\w$]+$/.test(value),
    }),
  );
  const getters = exported.filter(({ isLive }) => isLive).map(({ name, value }) => `${name}: () => ${value}`);
  const values = exported
    .filter(({ isLive }) => !isLive)
    .map(({ name, value }) => `exports.${name} = ${value};`);
  return code
    .replace(whole, getters.length === 0 ? "" : `__export(exports, { ${getters.join(", ")} });\n`)
    .replace(
      "module.exports = __toCommonJS(stdin_exports);",
      '__defProp(exports, "__esModule", { value: true });',
    )
    .replaceAll(/\bimport_\w+?_([A-Z0-9]{8})\b/g, "$$$1")
    .concat("\n", values.join("\n"));
}

/**
 * Which names are assigned to outside of their declaration, wherever that stands.
 *
 * @param {string} code
 */
function changingNames(code) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {ts.Node} target of an assignment, which may be a pattern */
  const add = (target) => {
    if (ts.isIdentifier(target)) names.add(target.text);
    else if (!ts.isPropertyAccessExpression(target)) ts.forEachChild(target, add);
  };
  /** @param {ts.SyntaxKind} operator */
  const isAssignment = (operator) =>
    operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
  /** @param {ts.Node} node */
  const look = (node) => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) add(node.left);
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) add(node.operand);
    else if (ts.isForInStatement(node) || ts.isForOfStatement(node)) add(node.initializer);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile("chunk.js", code, ts.ScriptTarget.ESNext));
  return names;
}
