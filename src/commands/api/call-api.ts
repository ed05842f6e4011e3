/** One call of any path, from its options to its printed answer. */
import type { AnyRequest } from "../../client/index.js";
import { openConnection, type Connection } from "../connection.js";
import { parseLimit } from "../durations.js";
import type { Invocation } from "../leaf.js";
import { AnswerWriter } from "./answer-writer.js";
import { openInput, type Input } from "./input.js";
import { parseCall, type ApiOptions } from "./options.js";
import { withTimeLimit } from "./time-limit.js";

export async function callApi(
  invocation: Invocation,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  const { context, globals } = invocation;
  const { include = false, maxTime } = options;
  const call = parseCall(method, path, options);
  const maxTimeMs = maxTime === undefined ? undefined : parseLimit("--max-time", maxTime);
  const connection = await openConnection(invocation);
  let input: Input | undefined;
  try {
    await withTimeLimit(context, maxTimeMs, async (signal) => {
      if (options.input !== undefined)
        input = await openInput(options.input, { stdin: () => context.stdin, signal });
      if (globals.dryRun) await describe(invocation, connection, call, input);
      else
        await send(
          invocation,
          connection,
          { ...call, ...(input && { body: input.body }) },
          { include, signal },
        );
    });
  } finally {
    input?.close();
    await connection.close();
  }
}

async function describe(
  { output }: Invocation,
  { client, available }: Connection,
  call: AnyRequest,
  input: Input | undefined,
): Promise<void> {
  const { showRequests } = await import("../dry-run.js");
  const request = client.describeAnyRequest({ ...call, ...(input && { body: input.body }) }, available);
  showRequests(output, [{ ...request, ...(input && { body: input.described }) }]);
}

async function send(
  { context, output }: Invocation,
  { client }: Connection,
  call: AnyRequest,
  { include, signal }: { readonly include: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { stdout } = context;
  const writer = new AnswerWriter({ stdout, signal, include });
  let refused: Promise<void> | undefined;
  try {
    await client.request(
      {
        ...call,
        onAnswer: (head) => {
          writer.head(head);
          return (piece) => writer.body(piece);
        },
      },
      {
        signal,
        onRefusal: (answer) => {
          writer.head(answer);
          refused = writer.body(Buffer.from(answer.body));
          if (answer.truncated) output.warn("The answer is longer than comanda holds; its end is left out.");
        },
      },
    );
  } finally {
    await refused;
    await writer.end();
  }
}
