/** A JSON body against a schema; what is wrong with it becomes the details of code 4000. */
import type * as z from "zod/mini";

import { invalidParameters, largestBody, type Refusal } from "./choices.js";
import { check } from "./details.js";
import { requestHeader, type ServiceContext } from "./service.js";

export type Body<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal };

/** @param describe another text for an issue at a field than the schema's own */
export async function readJsonBody<Value>(
  c: ServiceContext,
  schema: z.ZodMiniType<Value>,
  describe?: Readonly<Record<string, string>>,
): Promise<Body<Value>> {
  const text = await c.req.text();
  if (text.length > largestBody) {
    return refused({ status: 413, body: { code: 4130, message: "Body too large" } });
  }
  const type = requestHeader(c, "content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return refused(invalidParameters("The body must be of content type application/json"));
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refused(invalidParameters("The body is not valid JSON"));
  }
  const checked = check(schema, json, describe);
  return checked.ok ? checked : refused(invalidParameters(checked.details));
}

/** As {@link readJsonBody}; no body at all is `undefined`. */
export async function readOptionalJsonBody<Value>(
  c: ServiceContext,
  schema: z.ZodMiniType<Value>,
): Promise<Body<Value | undefined>> {
  if ((await c.req.text()) === "") return { ok: true, value: undefined };
  return readJsonBody(c, schema);
}

function refused(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}
