/** `comanda api` makes one call of any path, and prints its answer. */
import type { AnyRequest } from "../../client/any-call.js";
import type { DescribedRequest } from "../../client/client.js";
import type { CallObserver } from "../../client/observer.js";
import type { HttpAnswer } from "../../client/transport.js";
import { t } from "../../languages/language.js";
import type { Command } from "../../toolkit/command.js";
import { showRequests } from "../../toolkit/dry-run.js";
import { writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";

import { readInput } from "./input.js";
import { parseCall } from "./options.js";
import { printAnswer } from "./print-answer.js";
import { withConnection } from "../../toolkit/with-connection.js";

export interface ApiOptions extends WriteOptions {
  /** The call, without a body that comes from a file. */
  readonly call: AnyRequest;
  /** The file that the body comes from, or `-` for stdin. */
  readonly input: string | undefined;
  /** Print the status line and the headers first? */
  readonly include: boolean;
}

/** `--dry-run` shows the request; without it the answer has been printed already. */
export type ApiResult = { readonly request: DescribedRequest } | undefined;

export const api: Command<ApiOptions, ApiResult> = {
  description: {
    usage: "api <method> <path>",
    summary: "any call to the service, signed with the store's credentials",
    description:
      "The path is joined to the store's base URL and never leads elsewhere. The answer is printed as it came; any " +
      "status but a 2xx ends with the exit code that it has for every command, its body on stdout all the same. " +
      "GET, HEAD, PUT and DELETE are repeated where that does no harm; POST and PATCH never.\n\n" +
      "The JSON body is one object, the key as it is typed: an object or a list in it is a value of -F, such as " +
      '-F \'customer={"name":"Ana"}\', and any other body comes from --input.\n\n' +
      "A body has at most 64 MiB, an answer at most 10 MiB.",
    takes: ["store", "dryRun"],
    options: [
      {
        flags: "-f, --field <key=value>",
        description: "a text of the JSON body (repeatable)",
        repeatable: true,
      },
      {
        flags: "-F, --json-field <key=json>",
        description: "a number, true, null, list … of the JSON body (repeatable)",
        repeatable: true,
      },
      {
        flags: "--query <key=value>",
        description: "a parameter of the query (repeatable)",
        repeatable: true,
      },
      { flags: "--input <file>", description: "the body, sent as it is; - is stdin" },
      { flags: "-H, --header <name:value>", description: "a header (repeatable)", repeatable: true },
      { flags: "--auth <kind>", description: "bearer, key, or partner (API key and partner key)" },
      { flags: "-i, --include", description: "print the status line and the headers first" },
    ],
    examples: [
      "api GET /api/partner/v1/orders/summary --query start_date=2026-10-05T00:00:00Z --query end_date=2026-10-05T23:59:59Z",
      'api POST /api/partner/v1/orders/4712/cancel -f cancellation_reason="Out of flour"',
      "api PUT /api/partner/v1/orders/4716/driver -F driver_id=11 -F driver_fee=7.50",
      "api POST /api/partner/v1/orders --auth partner --input order.json --dry-run",
    ],
  },

  parse(line) {
    return {
      call: parseCall(line),
      input: line.text("--input"),
      include: line.flag("--include"),
      ...writeOptionsOf(line),
    };
  },

  async run(machine, { input: file, store, ...options }) {
    const { context } = machine;
    const { signal } = context;
    let last: HttpAnswer | undefined;
    const watch: CallObserver = { attempted: (_, { answer }) => void (last = answer) };
    return withConnection(machine.context, { store, watch }, async ({ client, describer }) => {
      try {
        const input = file === undefined ? undefined : await readInput(file, machine, signal);
        const call = { ...options.call, ...(input && { body: input.body }) };
        if (options.dryRun) {
          const request = describer.any(call);
          return { request: { ...request, ...(input && { body: input.description }) } };
        }
        const { httpStatus: status, raw: body, ...answer } = await client.request(call, { signal });
        printAnswer(context, { ...answer, status, body }, options.include);
        return undefined;
      } catch (error) {
        if (last) printAnswer(context, last, options.include);
        if (last?.truncated)
          machine.output.warn(
            t`The answer is longer than comanda holds, or came compressed; its end is left out.`,
          );
        throw error;
      }
    });
  },

  present(result, output) {
    if (result) showRequests(output, [result.request]);
  },
};
