/** The protocol SDK's own client at `comanda mcp`, the built program or in this process, on a machine that is signed in to two stores. */
import { PassThrough } from "node:stream";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv } from "ajv";
import { beforeEach, vi } from "vitest";
import * as z from "zod/mini";

import { systemClock } from "../../src/base/clock.js";
import { openContext } from "../../src/cli/context.js";
import { serve } from "../../src/mcp/server.js";
import { Bench } from "./bench.js";
import { afterwards } from "./resources.js";
import { Sink, testContext, testGlobals } from "./context.js";
import { comandaCommand, type Machine } from "./program.js";

type Answer = "accept" | "decline" | "cancel";

interface McpClientOptions {
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

/**
 * A result that doesn't fit its tool's output schema is an error. A schema with an unknown keyword is one, too. All clients receive
 * the same schemas, and compiling those of a client takes as long as starting the program.
 */
const compiled = new Map<string, JsonSchemaValidator<unknown>>();
const jsonSchemaValidator = {
  getValidator<Result>(schema: JsonSchemaType) {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    const validator = known ?? new AjvJsonSchemaValidator(new Ajv({ strict: true })).getValidator(schema);
    compiled.set(text, validator);
    return validator as JsonSchemaValidator<Result>;
  },
};

export class McpClient {
  /** What the server wrote to stderr. */
  stderr = "";
  readonly questions: string[] = [];

  private constructor(readonly client: Client) {}

  static async open(
    { env: machineEnv, folder }: Machine,
    { args = [], env = {}, answer }: McpClientOptions = {},
  ): Promise<McpClient> {
    const [command, script] = comandaCommand;
    const transport = new StdioClientTransport({
      ...{ command, args: [script, "mcp", ...args], cwd: folder, stderr: "pipe" },
      env: { ...machineEnv, ...env },
    });
    const opened = await McpClient.#at(transport, answer);
    transport.stderr?.on("data", (piece) => (opened.stderr += String(piece)));
    afterwards(() => opened.client.close());
    return opened;
  }

  /** Opens a server in this process, which is faster, and whose timers a test can replace. */
  static async inProcess(
    { env: machineEnv }: Machine,
    { args = [], env = {}, answer }: McpClientOptions = {},
  ): Promise<McpClient> {
    const withoutAsking = args.includes("--without-asking");
    const options = { allowWrites: args.includes("--allow-writes"), withoutAsking };
    const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
    const stdout = { write: (text: string | Uint8Array) => fromServer.write(text), stream: new Sink() };
    const streams = { stdin: toServer, stdout, env: { ...machineEnv, ...env }, clock: systemClock };
    const context = await openContext(testContext(streams), testGlobals({ maxWaitMs: 45_000 }));
    const served = serve(context, options);
    afterwards(() => {
      toServer.end();
      return served;
    });
    // The protocol over streams is the same in both directions.
    return McpClient.#at(new StdioServerTransport(fromServer, toServer), answer);
  }

  static async #at(transport: Transport, answer: McpClientOptions["answer"]): Promise<McpClient> {
    const capabilities = answer ? { elicitation: {} } : {};
    const clientInfo = { name: "test", version: "1.0.0" };
    const opened = new McpClient(new Client(clientInfo, { capabilities, jsonSchemaValidator }));
    if (answer)
      opened.client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        opened.questions.push(params.message);
        return { action: await answer() };
      });
    await opened.client.connect(transport);
    await opened.client.listTools();
    return opened;
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (message?: string) => void } = {},
  ) {
    const result = await this.client.callTool({ name, arguments: input }, undefined, {
      // The protocol's own limit is a minute, but a user may take longer to answer.
      timeout: 3_600_000,
      ...(signal && { signal }),
      ...(onProgress && { onprogress: ({ message }) => onProgress(message) }),
    });
    return z.parse(resultSchema, result);
  }

  /** Returns the structured content of a call's result. */
  async result(name: string, input?: Readonly<Record<string, unknown>>) {
    return (await this.call(name, input)).structuredContent;
  }
}

/** Allows changes in a client that can't ask. */
export const alone = { args: ["--allow-writes", "--without-asking"] } as const;

/** Opens the stores centro, which is the default, and norte. Most tests share a client, since a process takes half a second to start. */
export async function openMcpBench() {
  const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  await bench.signIn();
  await bench.signIn("norte", { store: 502 });
  await bench.inProcess("stores use centro");
  for (const store of ["centro", "norte"])
    await bench.inProcess(`stores set ${store} --tz America/Sao_Paulo`);

  const open = async (options?: McpClientOptions) => McpClient.open(bench.machine, options);
  /** Opens a client of a server in the test's own process. */
  const inProcess = async (options?: McpClientOptions) => McpClient.inProcess(bench.machine, options);
  /** What the user answers. */
  const answer = vi.fn<() => Answer | Promise<Answer>>();
  /** The options of a client that can ask. */
  const asking = { args: ["--allow-writes"], answer };
  const asker = await open(asking);
  beforeEach(() => {
    bench.emulator.service.faults.set([]);
    bench.forgetRequests();
    answer.mockReset().mockReturnValue("accept");
    asker.questions.length = 0;
  });
  return { bench, open, inProcess, answer, asking, asker };
}
