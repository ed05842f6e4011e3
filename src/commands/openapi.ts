import type { Command } from "../toolkit/command.js";

export const openApi: Command<Record<string, never>, object> = {
  description: {
    usage: "openapi",
    summary: "print the API's description as an OpenAPI 3.1 document",
    description: "It is made from what comanda itself calls with.",
    examples: ["openapi > openapi.json"],
  },
  parse: () => ({}),
  run: async () => (await import("../api/openapi.js")).openApiDocument(),
  present(document, output) {
    output.text(`${JSON.stringify(document, undefined, 2)}\n`);
  },
};
