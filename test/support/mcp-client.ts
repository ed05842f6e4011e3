/** The protocol SDK's own client, at the built program over stdio. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";

import { comandaCommand, type Machine } from "./program.js";

export type Answer = "accept" | "decline" | "cancel";

export interface McpClientOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers a question to the user. A client without it offers no elicitation. */
  readonly answer?: () => Answer | Promise<Answer>;
}

const resultSchema = z.object({
  isError: z.optional(z.boolean()),
  /** An input that isn't valid has only a text. */
  structuredContent: z._default(z.record(z.string(), z.unknown()), {}),
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
});

export interface McpCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string | undefined) => void;
}

export class McpClient {
  /** What the server wrote to stderr. */
  stderr = "";
  readonly questions: string[] = [];

  private constructor(
    readonly client: Client,
    readonly transport: StdioClientTransport,
  ) {}

  static async open(
    { env: machineEnv, folder }: Machine,
    { args = [], env = {}, answer }: McpClientOptions = {},
  ): Promise<McpClient> {
    const [command, script] = comandaCommand;
    const transport = new StdioClientTransport({
      ...{ command, args: [script, "mcp", ...args], cwd: folder, stderr: "pipe" },
      env: { ...machineEnv, ...env },
    });
    const capabilities = answer ? { elicitation: {} } : {};
    const opened = new McpClient(new Client({ name: "test", version: "1.0.0" }, { capabilities }), transport);
    transport.stderr?.on("data", (piece) => (opened.stderr += String(piece)));
    if (answer)
      opened.client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        opened.questions.push(params.message);
        return { action: await answer() };
      });
    await opened.client.connect(transport);
    return opened;
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    { signal, onProgress }: McpCallOptions = {},
  ) {
    const result = await this.client.callTool({ name, arguments: input }, undefined, {
      ...(signal && { signal }),
      ...(onProgress && { onprogress: ({ message }) => onProgress(message) }),
    });
    return z.parse(resultSchema, result);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
