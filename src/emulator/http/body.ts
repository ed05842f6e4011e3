/** Reads the body of a request up to a limit, and checks it as JSON by a schema. */
import * as z from "zod/mini";

import { check, detailsOf } from "../../contract/input.js";
import { parseJson } from "../../shared/json.js";
import { bodyTooLarge, invalid, largestBody, Refused } from "../domain/choices.js";
import { spreadExtra } from "../../contract/extra.js";
import { unknownNames } from "../../shared/nearest.js";
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

/** Reads a body, and notes it for the list of received requests. */
export async function bodyOf(c: ServiceContext): Promise<string> {
  const text = await readBody(c.req.raw, largestBody);
  c.env.call.body = text ?? null;
  if (text === undefined) throw new Refused(bodyTooLarge);
  return text;
}

/**
 * What is wrong with a body becomes the details of code 4000. It may be missing where the schema is optional. Fields that
 * the specification doesn't name are refused even where a schema is open, `extra` too: the client and `prefill` take such
 * fields in it, but no service knows it.
 */
export function parseBody<Schema extends z.ZodMiniType>(
  c: ServiceContext,
  text: string,
  schema: Schema,
): z.output<Schema> {
  const absent = text === "" ? z.safeParse(schema, undefined) : undefined;
  if (absent?.success) return absent.data;
  const type = requestHeader(c, "content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw invalid("The body must be of content type application/json");
  const json = parseJson(text);
  if (json === undefined) throw invalid("The body is not valid JSON");
  const value = checked(schema, json, "The body");
  const unnamed = spreadExtra(schema, json, false).unnamed.map(({ path, names, allowed }) => {
    const [sentence = ""] = unknownNames("field", names, allowed).split("\n");
    return `${path.length === 0 ? "The body" : path.join(".")} ${sentence}`;
  });
  if (unnamed.length > 0) throw invalid(unnamed.join("; "));
  return value;
}

/** @param owner is the word for the whole in messages */
export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  owner: string,
): z.output<Schema> {
  const result = check(schema, value, { owner, kind: "field" });
  if (result.ok) return result.value;
  throw invalid(detailsOf(result));
}
