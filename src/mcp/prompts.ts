/** The prompts that an app offers its user, in English and Portuguese. */
import * as z from "zod";

import { ComandaError } from "../base/errors.js";
import { invalidValue } from "../base/fields.js";
import { printable } from "../cli/text.js";
import { chooseStore } from "../core/connection.js";
import { storePeriod } from "../core/history.js";
import { storeStates } from "../core/stores.js";
import type { Workspace } from "../core/workspace.js";
import { inLanguage, t, wordsIn, type Language } from "../languages/language.js";
import { periodNames } from "../sales/period.js";
import { hintOf } from "./hints.js";
import { completable, ErrorCode, McpError, type McpServer } from "./sdk.js";

/** `at` is ` at centro` or nothing. */
const prompts = {
  close_the_day: {
    title: "Close the day · Fechar o dia",
    description: "A day's sales, the fees owed to drivers, and changes whose outcome is unknown",
    usualPeriod: "today",
    isOneDay: true,
    text: (at: string, period: string) =>
      t`Close the day${at} (${period}). With sales_summary, compare its sales without canceled orders with the same day of the week before (compare: week). With sales_by, show them by payment method and by order type. With drivers_owed, list what each driver is owed. With order_history and the outcome unknown, list the changes that somebody has to look up. Keep it to one page, and say which figures can still change.`,
  },
  compare_weeks: {
    title: "Compare weeks · Comparar semanas",
    description: "A week's sales compared with those of the previous one",
    usualPeriod: "last-week",
    isOneDay: false,
    text: (at: string, period: string) =>
      t`Compare the sales${at} of ${period} with those of the previous period. With sales_summary and compare: previous, show orders, revenue and average. With sales_by and compare: previous, show the days and the channels that changed most. Name the days of both periods, and don't guess at causes that the figures don't show.`,
  },
  pay_drivers: {
    title: "Pay the drivers · Pagar os entregadores",
    description: "Fees owed to each driver for the orders assigned from this machine",
    usualPeriod: "yesterday",
    isOneDay: false,
    text: (at: string, period: string) =>
      t`List what each driver${at} is owed for ${period}, with drivers_owed. Show the orders without a fee, those whose fee isn't known, and canceled orders separately, so that I can decide about them. Say that orders assigned elsewhere, such as in the portal, are missing.`,
  },
};

/** @param usualLanguage the language of this machine */
export function addPrompts(server: McpServer, workspace: Workspace, usualLanguage: Language): void {
  const optional = (description: string, values: () => readonly string[] | Promise<readonly string[]>) => {
    const complete = async (typed: string | undefined) =>
      (await values()).filter((value) => value.startsWith(typed ?? ""));
    // Clients send an empty text for a field that the user leaves out. The SDK looks for the completion in both the field
    // and its inner type.
    const given = z.string().transform((typed) => (typed === "" ? undefined : typed));
    const inner = completable(given, complete);
    return completable(inner.optional().describe(description), complete);
  };
  const aliases = async () => (await storeStates(workspace)).stores.map(({ store }) => store);
  for (const [name, { title, description, usualPeriod, isOneDay, text }] of Object.entries(prompts)) {
    const argsSchema = {
      store: optional("store alias; default: the default store", aliases),
      period: optional(`default: ${usualPeriod}`, () => periodNames),
      language: optional(`en or pt-BR; default: ${usualLanguage}`, () => ["en", "pt-BR"]),
    };
    const config = { title, description, argsSchema };
    server.registerPrompt(name, config, async ({ store, period = usualPeriod, language = usualLanguage }) => {
      try {
        if (language !== "en" && language !== "pt-BR")
          throw invalidValue("language", language, { hint: "Use en or pt-BR." });
        const label = store === undefined ? undefined : (await chooseStore(workspace, store)).label;
        const { first, last } = await storePeriod(workspace, label, { period });
        if (isOneDay && first !== last)
          throw invalidValue("period", period, { hint: "Use one day, such as today or yesterday." });
        const words = await wordsIn(language);
        const filled = inLanguage(words, () => text(label === undefined ? "" : t` at ${label}`, period));
        return { messages: [{ role: "user", content: { type: "text", text: printable(filled) } }] };
      } catch (error) {
        if (!(error instanceof ComandaError)) throw error;
        const problem = [error.message, hintOf(error)].filter(Boolean).join(" ");
        const isInput = error.code === "invalid_input" || error.code === "usage";
        throw new McpError(isInput ? ErrorCode.InvalidParams : ErrorCode.InternalError, problem);
      }
    });
  }
}
