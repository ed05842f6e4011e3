/** `comanda mcp` serves figures, stores, drivers and history to an AI assistant over stdin and stdout (Model Context Protocol). */
import { ComandaError } from "../base/errors.js";
import type { Command } from "../cli/command.js";
import { t } from "../languages/language.js";

export default function mcp(command: Command): void {
  command
    .details(
      "An assistant's app, such as Claude Desktop, starts this command and communicates with it over stdin and stdout. The topic mcp (`comanda help mcp`) shows what to add to the app's settings.",
      "The assistant can see figures, drivers' names, order ids, store aliases and the history of changes with their users, but never tokens, keys or customer data.",
      "Before comanda changes anything, it asks you for confirmation through the app. An app that can't show this question has no tools for changes, unless you add --without-asking. The assistant then decides without you, and only the app's own confirmation protects you.",
    )
    .option("--max-wait <duration>", "maximum wait for rate limits and locks", "45s")
    .option("--allow-writes", "allow changes, in apps that can ask for confirmation")
    .option("--without-asking", "with --allow-writes, allow changes in other apps, too")
    .printsText()
    .examples("mcp", "mcp --allow-writes")
    .does(async (context, options: { readonly allowWrites?: boolean; readonly withoutAsking?: boolean }) => {
      const { allowWrites = false, withoutAsking = false } = options;
      if (withoutAsking && !allowWrites)
        throw new ComandaError("usage", t`${"--without-asking"} requires ${"--allow-writes"}.`);
      if (context.stdin().isTTY)
        throw new ComandaError("usage", t`Expected input on stdin, but stdin is a terminal.`, {
          hint: t`Run ${"comanda mcp"} --help for usage.`,
        });
      const { serve } = await import("../mcp/server.js");
      await serve(context, { allowWrites, withoutAsking });
    });
}
