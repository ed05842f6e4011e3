/** Checks what came in against a schema, and says in words what is wrong with it. */
import en from "zod/v4/locales/en.js";
import * as z from "zod/mini";

export type Checked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly details: string };

// zod/mini comes without words; they are given for each check, since a setting would be the whole process's.
const words = { error: en().localeError };

/** @param describe another text for an issue at a field than the schema's own */
export function check<Value>(
  schema: z.ZodMiniType<Value>,
  input: unknown,
  describe: Readonly<Record<string, string>> = {},
): Checked<Value> {
  const result = z.safeParse(schema, input, words);
  if (result.success) return { ok: true, value: result.data };
  // One sentence for each field that is wrong.
  const sentences = result.error.issues.map(({ path, message }) => {
    const field = path.map(String).join(".");
    return describe[field] ?? (field === "" ? message : `${field}: ${message}`);
  });
  return { ok: false, details: [...new Set(sentences)].join("; ") };
}
