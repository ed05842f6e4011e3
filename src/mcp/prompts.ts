/** The prompts that an app offers its user, in English and Portuguese. */
import * as z from "zod";

import { invalidValue } from "../base/fields.js";
import { printable } from "../cli/text.js";
import { chooseStore } from "../core/connection.js";
import { storePeriod } from "../core/history.js";
import { storeStates } from "../core/stores.js";
import type { Workspace } from "../core/workspace.js";
import type { Language } from "../languages/language.js";
import { periodNames } from "../sales/period.js";
import { completable, type McpServer } from "./sdk.js";

/** In the texts, `{at}` is ` at centro` or nothing. */
const prompts = {
  close_the_day: {
    title: "Close the day · Fechar o dia",
    description: "A day's sales, the fees owed to drivers, and changes whose outcome is unknown",
    usualPeriod: "today",
    text: {
      en: "Close the day{at} ({period}). With sales_summary, compare its sales without canceled orders with the same day of the week before (compare: week). With sales_by, show them by payment method and by order type. With drivers_owed, list what each driver is owed. With order_history and the outcome unknown, list the changes that somebody has to look up. Keep it to one page, and say which figures can still change.",
      "pt-BR":
        "Feche o dia{at} ({period}). Com sales_summary, compare as vendas sem pedidos cancelados com as do mesmo dia da semana anterior (compare: week). Com sales_by, mostre as vendas por forma de pagamento e por tipo de pedido. Com drivers_owed, liste quanto cada entregador tem a receber. Com order_history e o resultado unknown, liste as alterações que alguém precisa conferir. Use no máximo uma página e diga quais números ainda podem mudar.",
    },
  },
  compare_weeks: {
    title: "Compare weeks · Comparar semanas",
    description: "A week's sales compared with those of the previous one",
    usualPeriod: "last-week",
    text: {
      en: "Compare the sales{at} of {period} with those of the previous period. With sales_summary and compare: previous, show orders, revenue and average. With sales_by and compare: previous, show the days, the hours and the channels that changed most. Name the days of both periods, and don't guess at causes that the figures don't show.",
      "pt-BR":
        "Compare as vendas{at} de {period} com as do período anterior. Com sales_summary e compare: previous, mostre pedidos, faturamento e ticket médio. Com sales_by e compare: previous, mostre os dias, as horas e os canais que mais mudaram. Diga os dias dos dois períodos e não invente causas que os números não mostram.",
    },
  },
  pay_drivers: {
    title: "Pay the drivers · Pagar os entregadores",
    description: "Fees owed to each driver for the orders assigned from this machine",
    usualPeriod: "yesterday",
    text: {
      en: "List what each driver{at} is owed for {period}, with drivers_owed. Show the orders without a fee, those whose fee isn't known, and canceled orders separately, so that I can decide about them. Say that orders assigned elsewhere, such as in the portal, are missing.",
      "pt-BR":
        "Liste quanto cada entregador{at} tem a receber por {period}, com drivers_owed. Mostre separadamente os pedidos sem taxa, os de taxa desconhecida e os cancelados, para que eu decida sobre eles. Avise que faltam os pedidos atribuídos em outro lugar, como no portal.",
    },
  },
};

const places = { en: " at ", "pt-BR": " em " } as const;

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
  for (const [name, { title, description, usualPeriod, text }] of Object.entries(prompts)) {
    const argsSchema = {
      store: optional("store alias; default: the default store", aliases),
      period: optional(`default: ${usualPeriod}`, () => periodNames),
      language: optional(`en or pt-BR; default: ${usualLanguage}`, () => ["en", "pt-BR"]),
    };
    const config = { title, description, argsSchema };
    server.registerPrompt(name, config, async ({ store, period = usualPeriod, language = usualLanguage }) => {
      if (language !== "en" && language !== "pt-BR") throw invalidValue("language", language, {});
      const label = store === undefined ? undefined : (await chooseStore(workspace, store)).label;
      await storePeriod(workspace, label, { period });
      const at = label === undefined ? "" : places[language] + label;
      const filled = text[language].replace("{at}", () => at).replace("{period}", () => period);
      return { messages: [{ role: "user", content: { type: "text", text: printable(filled) } }] };
    });
  }
}
