/** Reads the body of a request up to a limit, and checks it as JSON by a schema. */
import type * as z from "zod/mini";

import { check, detailsOf } from "../../contract/input.js";
import { parseJson } from "../../shared/json.js";
import { bodyTooLarge, invalidParameters, largestBody, type Refusal } from "../domain/choices.js";
import { unnamedFields } from "../domain/strictness.js";
import { requestHeader, type ServiceContext } from "../service.js";

/**
 * Reads a body. Hono's `bodyLimit` is not used: for a body without an announced length it makes a second `Request`
 * out of the first, which Node's own can't be made of the server adapter's lighter one.
 *
 * @returns `undefined` where the body has more bytes than `most`
 */
export async function readBody(request: Request, most: number): Promise<string | undefined> {
  const announced = request.headers.get("content-length");
  if (announced !== null) return Number(announced) > most ? undefined : request.text();
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The body is read to its end all the same: a client that is still sending would see a broken connection, not the
  // answer.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > most ? undefined : new TextDecoder().decode(Buffer.concat(chunks));
}

export type Body<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal };

/**
 * Reads a JSON body. What is wrong with it becomes the details of code 4000.
 *
 * @param isStrict refuses fields that the specification doesn't name, even where a schema is open
 */
export async function readJsonBody<Schema extends z.ZodMiniType>(
  c: ServiceContext,
  schema: Schema,
  isStrict = false,
): Promise<Body<z.output<Schema>>> {
  return judge(c, await bodyOf(c), schema, isStrict);
}

/** Reads like {@link readJsonBody}, but a missing body is `undefined`. */
export async function readOptionalJsonBody<Schema extends z.ZodMiniType>(
  c: ServiceContext,
  schema: Schema,
  isStrict = false,
): Promise<Body<z.output<Schema> | undefined>> {
  const text = await bodyOf(c);
  return text === "" ? { ok: true, value: undefined } : judge(c, text, schema, isStrict);
}

/** Reads like {@link readBody}, and notes the body for the list of received requests. */
export async function bodyOf(c: ServiceContext): Promise<string | undefined> {
  const text = await readBody(c.req.raw, largestBody);
  c.env.call.body = text ?? null;
  return text;
}

function judge<Schema extends z.ZodMiniType>(
  c: ServiceContext,
  text: string | undefined,
  schema: Schema,
  isStrict: boolean,
): Body<z.output<Schema>> {
  if (text === undefined) return refusedBody(bodyTooLarge);
  const type = requestHeader(c, "content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return refusedBody(invalidParameters("The body must be of content type application/json"));
  }
  const json = parseJson(text);
  if (json === undefined) return refusedBody(invalidParameters("The body is not valid JSON"));
  const result = check(schema, json, { owner: "The body", kind: "field" });
  if (!result.ok) return refusedBody(invalidParameters(detailsOf(result)));
  const unnamed = isStrict ? unnamedFields(schema, json) : [];
  return unnamed.length === 0 ? result : refusedBody(invalidParameters(unnamed.join("; ")));
}

function refusedBody(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}
