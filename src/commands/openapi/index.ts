import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function openApiCommand(context: Context): Command {
  const command = leaf({
    usage: "openapi",
    summary: "print the API's description as an OpenAPI 3.1 document",
    description:
      "It is made from what comanda itself calls with. The emulator serves it too, with a page to browse it: /openapi.",
    examples: ["openapi > openapi.json"],
  });
  return perform(command, context, async ({ output }) => {
    const { openApiDocument } = await import("../../openapi/document.js");
    output.text(`${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
  });
}
