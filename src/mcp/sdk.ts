/** The protocol's SDK. The build bundles it separately, with its own copy of zod. */
export { completable } from "@modelcontextprotocol/sdk/server/completable.js";
export { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
export { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
export type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
export * from "@modelcontextprotocol/sdk/types.js";
