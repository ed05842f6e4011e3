/** What a schema found wrong, in words. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One sentence for each field that is wrong. */
export function detailsOf(issues: readonly Issue[], describe: Readonly<Record<string, string>> = {}): string {
  const sentences = issues.map(({ path, message }) => {
    const field = path.map(String).join(".");
    return describe[field] ?? (field === "" ? message : `${field}: ${message}`);
  });
  return [...new Set(sentences)].join("; ");
}
