/** The steps of the tour. */
import type { Emulator } from "../../emulator/index.js";
import { exitCodeOf } from "../../client/errors.js";
import { t } from "../../languages/language.js";

import type { DemoOrders } from "./orders.js";

export interface Step {
  readonly title: string;
  readonly args: readonly string[];
  /** The file for stdin: its name is shown, its text is not. */
  readonly stdin?: { readonly name: string; readonly text: string };
  /** Any other exit code is a failure of the tour; 0 by default. */
  readonly exit?: number;
}

export function environmentStep(
  { baseUrl, authUrl, clientId }: Pick<Emulator, "baseUrl" | "authUrl" | "clientId">,
  redirectUri: string,
): Step {
  return {
    title: "Tell comanda where the service is, and how this app is registered there",
    args: [
      ...["env", "set", "demo", "--base-url", baseUrl, "--auth-url", authUrl],
      ...["--client-id", clientId, "--redirect-uri", redirectUri],
    ],
  };
}

export const signInByScript: Step = {
  title: "Sign in at a store (here a small HTTP client plays the owner)",
  args: ["login", "--store", "centro", "--env", "demo", "--tz", "America/Sao_Paulo", "--no-browser"],
};

export function orderSteps({ delivery, unwanted, waiting, driver }: DemoOrders): readonly Step[] {
  return [
    { title: "Where do we stand?", args: ["status"] },
    {
      title: "A delivery order gets a driver and a fee",
      args: ["driver", "assign", delivery, driver, "--fee", "7.50"],
    },
    { title: "It goes out", args: ["orders", "dispatch", delivery] },
    { title: "It has arrived", args: ["orders", "deliver", delivery] },
    { title: "It is paid and done", args: ["orders", "finalize", delivery] },
    {
      title: "Another one is canceled",
      args: ["orders", "cancel", unwanted, "--reason", t`The customer changed their mind`],
    },
    {
      title: t`A finished order can't be changed: exit code ${exitCodeOf.status_conflict}`,
      args: ["orders", "dispatch", delivery],
      exit: exitCodeOf.status_conflict,
    },
    {
      title: "Several at once, one of them finished already: exit code 10",
      args: ["orders", "finalize", ...waiting, delivery],
      exit: exitCodeOf.some_failed,
    },
    {
      title: "The same for a script",
      args: ["orders", "finalize", delivery, "--json"],
      exit: exitCodeOf.status_conflict,
    },
  ];
}

export const figuresSteps: readonly Step[] = [
  {
    title: "Sales figures: first, how this store writes its money",
    args: ["stores", "set", "centro", "--currency", "BRL", "--locale", "pt-BR"],
  },
  { title: "How was last month?", args: ["summary", "--period", "last-month"] },
  {
    title: "Against the same month a year ago, without the canceled orders",
    args: ["summary", "--period", "last-month", "--compare", "year", "--filter", "status!=canceled"],
  },
  {
    title: "Which hours were busy?",
    args: ["grouped", "--by", "hour", "--period", "last-month", "--chart"],
  },
  {
    title: "For a script: the best channels of the last 30 days, as JSON",
    args: ["grouped", "--by", "sales_channel", "--period", "last-30-days", "--top", "2", "--json"],
  },
];

export const goodbye: Step = { title: "Sign out: the service revokes the tokens", args: ["logout"] };

/** These steps need only the key of the store portal. */
export function prefillSteps({ apiKey }: DemoOrders): readonly Step[] {
  return [
    {
      title: "A store's API key does without a sign-in",
      args: ["login", "--api-key", "--store", "centro", "--env", "demo"],
      stdin: { name: "key.txt", text: apiKey },
    },
    {
      title: "A pre-filled order: its link opens the store's menu with the cart filled",
      args: [
        ...["prefill", "--order-type", "takeout", "--customer-name", "Ana"],
        ...["--item", "3002x2:no onion", "--item", "3001"],
      ],
    },
  ];
}
