/** A store's session, read from its file. */
import { readFileSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

const storedSchema = z.looseObject({
  tokens: z.object({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_at: z.number(),
    generation: z.int(),
    scopes: z.array(z.string()),
  }),
});

/** @throws {Error} if the file doesn't contain a complete session with tokens */
export function readSession(configFolder: string, store = "centro"): z.infer<typeof storedSchema> {
  const file = path.join(configFolder, "sessions", `s-${store}.json`);
  return z.parse(storedSchema, JSON.parse(readFileSync(file, "utf8")));
}
