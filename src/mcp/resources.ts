/** The resources: the help topics and the API's OpenAPI document. */
import { openApiDocument } from "../api/openapi.js";
import { topicNames, topicText } from "../cli/help/topics.js";
import type { McpServer } from "./sdk.js";

export async function addResources(server: McpServer): Promise<void> {
  const add = (name: string, title: string, mimeType: string, text: string) => {
    const config = { title, mimeType, annotations: { audience: ["assistant" as const], priority: 0.2 } };
    server.registerResource(name, `comanda://${name}`, config, ({ href: uri }) => ({
      contents: [{ uri, mimeType, text }],
    }));
  };
  for (const name of topicNames) {
    const text = (await topicText(name)) ?? "";
    add(`help/${name}`, text.split("\n", 1)[0] ?? name, "text/plain", text);
  }
  add("openapi.json", "The API's OpenAPI document", "application/json", JSON.stringify(openApiDocument()));
}
