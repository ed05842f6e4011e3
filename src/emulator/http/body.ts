/**
 * The body of a request, up to a limit. Hono's `bodyLimit` is not used: for a body without an announced length it makes
 * a second `Request` out of the first, which Node's own can't be made of the server adapter's lighter one.
 */

/** @returns `undefined` where the body has more bytes than `most` */
export async function readBody(request: Request, most: number): Promise<string | undefined> {
  const announced = request.headers.get("content-length");
  if (announced !== null) return Number(announced) > most ? undefined : request.text();
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Read to its end all the same: a client that is still sending would see a broken connection, not the answer.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > most ? undefined : new TextDecoder().decode(Buffer.concat(chunks));
}
