/** The error body of section 7. */
import * as z from "zod/mini";

export const errorBodySchema = z.object({
  code: z.int(),
  message: z.string(),
  details: z.optional(z.string()),
});
