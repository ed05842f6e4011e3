/** `comanda api` makes one call of any path, and prints its answer. */
import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { collect, oneStore } from "../../cli/global-options.js";
import type { CallObserver } from "../../client/observer.js";
import type { HttpAnswer } from "../../client/transport.js";
import { t } from "../../languages/language.js";
import { withConnection } from "../store.js";
import { showRequests } from "../writes.js";

import { readInput } from "./input.js";
import { parseCall, type CallOptions } from "./options.js";
import { printAnswer } from "./print-answer.js";

interface ApiOptions extends CallOptions {
  /** Print the status line and the headers first? */
  readonly include?: boolean;
}

export function api(command: Command): void {
  command
    .arguments("<method> <path>")
    .about(
      "any call to the service, signed with the store's credentials",
      "The path is joined to the store's base URL and never leads elsewhere. The answer is printed as it came; any " +
        "status but a 2xx ends with the exit code that it has for every command, its body on stdout all the same. " +
        "GET, HEAD, PUT and DELETE are repeated where that does no harm; POST and PATCH never.",
      "The JSON body is one object, the key as it is typed: an object or a list in it is a value of -F, such as " +
        '-F \'customer={"name":"Ana"}\', and any other body comes from --input.',
      "A body has at most 64 MiB, an answer at most 10 MiB.",
    )
    .takes("store", "dryRun")
    .option("-f, --field <key=value>", "a text of the JSON body (repeatable)", collect)
    .option(
      "-F, --json-field <key=json>",
      "a number, true, null, list … of the JSON body (repeatable)",
      collect,
    )
    .option("--query <key=value>", "a parameter of the query (repeatable)", collect)
    .option("--input <file>", "the body, sent as it is; - is stdin")
    .option("-H, --header <name:value>", "a header (repeatable)", collect)
    .option("--auth <kind>", "bearer, key, or partner (API key and partner key)")
    .option("-i, --include", "print the status line and the headers first")
    .examples(
      "api GET /api/partner/v1/orders/summary --query start_date=2026-10-05T00:00:00Z --query end_date=2026-10-05T23:59:59Z",
      'api POST /api/partner/v1/orders/4712/cancel -f cancellation_reason="Out of flour"',
      "api PUT /api/partner/v1/orders/4716/driver -F driver_id=11 -F driver_fee=7.50",
      "api POST /api/partner/v1/orders --auth partner --input order.json --dry-run",
    )
    .does(call);
}

async function call(context: Context, options: ApiOptions, words: readonly string[]): Promise<void> {
  const { signal, output } = context;
  const { input: file, include = false } = options;
  const request = parseCall(words, options);
  const store = oneStore(context.options);
  let last: HttpAnswer | undefined;
  const watch: CallObserver = { attempted: (_, { answer }) => void (last = answer) };
  await withConnection(context, { store, watch }, async ({ client, describer }) => {
    try {
      const input = file === undefined ? undefined : await readInput(file, context);
      const whole = { ...request, ...(input && { body: input.body }) };
      if (context.options.dryRun) {
        showRequests(output, [{ ...describer().any(whole), ...(input && { body: input.description }) }]);
        return;
      }
      const { httpStatus: status, raw: body, ...answer } = await client.request(whole, { signal });
      printAnswer(context, { ...answer, status, body }, include);
    } catch (error) {
      if (last) printAnswer(context, last, include);
      if (last?.truncated)
        output.warn(t`The answer is longer than comanda holds, or came compressed; its end is left out.`);
      throw error;
    }
  });
}
