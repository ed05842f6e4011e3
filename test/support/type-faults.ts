/** What TypeScript has against programs that use the package, and against the types of the package. */
import path from "node:path";

import ts, { type CompilerOptions, type SourceFile } from "typescript";

/** The types of TypeScript and Node are the same in every program: they are read once. */
const read = new Map<string, SourceFile | undefined>();

export interface Programs {
  /** Where the programs lie. */
  readonly folder: string;
  /** Where the package lies. */
  readonly installed: string;
  readonly options: CompilerOptions;
}

/** @param names of the programs' files */
export function typeFaults(names: readonly string[], { folder, installed, options }: Programs): string[] {
  const all: CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: ["node"],
    typeRoots: [path.join(folder, "node_modules", "@types")],
    ...options,
  };
  const files = names.map((name) => path.join(folder, name));
  const host = ts.createCompilerHost(all);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    if (name.startsWith(folder)) return getSourceFile(name, languageVersion, ...rest);
    if (!read.has(name)) read.set(name, getSourceFile(name, languageVersion, ...rest));
    return read.get(name);
  };
  host.getCurrentDirectory = () => folder;
  const program = ts.createProgram(files, all, host);
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName) || fileName.startsWith(installed));
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return faults.map(
    ({ file, messageText }) =>
      `${path.basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}
