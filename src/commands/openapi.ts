import type { Command } from "../cli/command.js";

export default function openApi(command: Command): void {
  command.examples("openapi > openapi.json").does(async ({ output }) => {
    const { openApiDocument } = await import("../api/openapi.js");
    output.text(`${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
  });
}
