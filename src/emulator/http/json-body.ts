/** A JSON body against a schema; what is wrong with it becomes the details of code 4000. */
import type * as z from "zod/mini";

import { parseJson } from "../../shared/json.js";
import { readBody } from "./body.js";
import { bodyTooLarge, invalidParameters, largestBody, type Refusal } from "../domain/choices.js";
import { check } from "./details.js";
import { requestHeader, type ServiceContext } from "../service.js";

export type Body<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal };

/** @param describe another text for an issue at a field than the schema's own */
export async function readJsonBody<Value>(
  c: ServiceContext,
  schema: z.ZodMiniType<Value>,
  describe?: Readonly<Record<string, string>>,
): Promise<Body<Value>> {
  return judge(c, await readBody(c.req.raw, largestBody), schema, describe);
}

/** As {@link readJsonBody}; no body at all is `undefined`. */
export async function readOptionalJsonBody<Value>(
  c: ServiceContext,
  schema: z.ZodMiniType<Value>,
): Promise<Body<Value | undefined>> {
  const text = await readBody(c.req.raw, largestBody);
  return text === "" ? { ok: true, value: undefined } : judge(c, text, schema);
}

function judge<Value>(
  c: ServiceContext,
  text: string | undefined,
  schema: z.ZodMiniType<Value>,
  describe?: Readonly<Record<string, string>>,
): Body<Value> {
  if (text === undefined) return refused(bodyTooLarge);
  const type = requestHeader(c, "content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return refused(invalidParameters("The body must be of content type application/json"));
  }
  const json = parseJson(text);
  if (json === undefined) return refused(invalidParameters("The body is not valid JSON"));
  const checked = check(schema, json, describe);
  return checked.ok ? checked : refused(invalidParameters(checked.details));
}

function refused(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}
