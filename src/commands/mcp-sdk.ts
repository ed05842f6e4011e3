/** The protocol's SDK, for `comanda mcp`. The build bundles it separately, with its own copy of zod. */
export { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
export * from "@modelcontextprotocol/sdk/types.js";
export { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
