/** What `comanda mcp` uses of the protocol's SDK. The build bundles it by itself, with the parts of zod that it uses. */
export { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
export * from "@modelcontextprotocol/sdk/types.js";
