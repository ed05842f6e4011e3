/** Reads the success of an operation: section 4. */
import * as z from "zod/mini";

/** As the contract describes an operation's answer. */
export type Answered<Value> =
  | { readonly read: (json: unknown, text: string) => Value | undefined }
  | { readonly schema: z.ZodMiniType<Value>; readonly read?: undefined };

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` where it is none
 * @returns `undefined` where it is not an answer of the API
 */
export type ReadResponse<Value> = (text: string, json: unknown) => { readonly value: Value } | undefined;

export function readerOf<Value>(answered: Answered<Value>): ReadResponse<Value> {
  return (text, json) => {
    if (answered.read) {
      const value = answered.read(json, text);
      return value === undefined ? undefined : { value };
    }
    const result = z.safeParse(answered.schema, json);
    return result.success ? { value: result.data } : undefined;
  };
}
