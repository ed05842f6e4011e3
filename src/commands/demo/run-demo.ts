/** The tour: real processes, real HTTP, the real sign-in; only the service is the emulator. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../../basics/free-port.js";
import { shellWord } from "../../basics/shell-word.js";
import { startEmulator } from "../../emulator/index.js";
import { ComandaError, exitCodes } from "../../errors/index.js";
import { createStyle, wantsColors, type Style } from "../../terminal/index.js";
import { Exit } from "../exit.js";
import type { Invocation } from "../leaf.js";

import { createDemoOrders, type DemoOrders } from "./demo-orders.js";
import { handOver, isolatedEnvironment, runSelf } from "./self.js";

interface Step {
  readonly title: string;
  readonly args: readonly string[];
  /** A file that stdin is read from: its name as it is shown, and what is in it, which isn't. */
  readonly stdin?: { readonly name: string; readonly text: string };
  /** The person takes part in it. */
  readonly byHand?: boolean;
  /** The exit code that belongs to it; a tour that shows something else has failed. */
  readonly exit?: number;
}

/** @throws {ComandaError} `internal` where a step did not end as it should */
export async function runDemo(invocation: Invocation, browser: boolean): Promise<void> {
  const { context, globals } = invocation;
  const style = await createStyle(wantsColors(context.stdout, context.env, globals.color));
  const folder = await mkdtemp(path.join(tmpdir(), "comanda-demo-"));
  // Registered before anything listens there.
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const emulator = await startEmulator({ port: 0, orders: 4_000, seed: 1, redirectUris: [redirectUri] });
  try {
    const tour = new Tour(invocation, style, isolatedEnvironment(context.env, folder));
    tour.say(`The emulator of the service runs at ${emulator.url} for the length of this tour.`);
    await tour.step({
      title: "Tell comanda where the service is, and how this app is registered there",
      args: [
        ...["env", "set", "demo", "--base-url", emulator.baseUrl, "--auth-url", emulator.authUrl],
        ...["--client-id", emulator.clientId, "--redirect-uri", redirectUri],
      ],
    });
    await signIn(tour, browser);
    const orders = await createDemoOrders(emulator);
    const steps = [...orderSteps(orders), ...figuresSteps, goodbye, ...prefillSteps(orders)];
    for (const step of steps) await tour.step(step);
    tour.say("That was the tour. The emulator is stopped, and nothing was left behind.");
    tour.say("To go on by yourself: comanda emulator start, then comanda login --store demo --env local");
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function signIn(tour: Tour, browser: boolean): Promise<void> {
  if (browser) {
    await tour.step({
      title: "Sign in at a store: choose an owner and allow the app, in the browser",
      args: ["login", "--store", "centro", "--env", "demo"],
      byHand: true,
    });
    return;
  }
  const { authorizeAsOwner } = await import("../../emulator/portal/scripted-owner.js");
  let owner: Promise<unknown> | undefined;
  await tour.step(
    {
      title: "Sign in at a store (here a small HTTP client plays the owner; --browser lets you)",
      args: ["login", "--store", "centro", "--env", "demo", "--no-browser"],
    },
    (line) => {
      if (/^https?:\/\//.test(line)) owner ??= authorizeAsOwner(line, { fetch: globalThis.fetch });
    },
  );
  await owner;
}

function orderSteps({ delivery, unwanted, waiting, driver }: DemoOrders): readonly Step[] {
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
      args: ["orders", "cancel", unwanted, "--reason", "The customer changed their mind"],
    },
    {
      title: `A finished order can't be changed: exit code ${exitCodes.statusConflict}`,
      args: ["orders", "dispatch", delivery],
      exit: exitCodes.statusConflict,
    },
    {
      title: "Several at once, one of them finished already: exit code 10",
      args: ["orders", "finalize", ...waiting, delivery],
      exit: exitCodes.someFailed,
    },
    {
      title: "The same for a script",
      args: ["orders", "finalize", delivery, "--json"],
      exit: exitCodes.statusConflict,
    },
  ];
}

const figuresSteps: readonly Step[] = [
  {
    title: "Sales figures: first, how this store counts its days and its money",
    args: ["stores", "set", "centro", "--tz", "America/Sao_Paulo", "--currency", "BRL", "--locale", "pt-BR"],
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

const goodbye: Step = { title: "Sign out: the service revokes the tokens", args: ["logout"] };

/** The key of the store portal is enough for these. */
function prefillSteps({ apiKey }: DemoOrders): readonly Step[] {
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

class Tour {
  readonly #invocation: Invocation;
  readonly #style: Style;
  readonly #env: Record<string, string>;

  constructor(invocation: Invocation, style: Style, env: Record<string, string>) {
    this.#invocation = invocation;
    this.#style = style;
    this.#env = env;
  }

  say(text: string): void {
    this.#invocation.output.line(text);
  }

  async step(step: Step, onLine?: (line: string) => void): Promise<void> {
    const { context, output } = this.#invocation;
    const { title, args, stdin, exit = 0 } = step;
    const typed = ["$ comanda", ...args.map(shellWord), ...(stdin ? ["<", stdin.name] : [])].join(" ");
    output.text(`\n${this.#style.dim(`# ${title}`)}\n${this.#style.bold(typed)}\n`);
    const code = await this.#run(step, onLine).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw error;
    });
    // The person has been told why, or knows: Ctrl-C, a refusal.
    if (step.byHand && code !== 0) throw new Exit(code);
    if (code !== exit) {
      throw new ComandaError("internal", `"comanda ${args.join(" ")}" ended with ${code}, not with ${exit}.`);
    }
  }

  async #run({ args, stdin, byHand }: Step, onLine?: (line: string) => void): Promise<number> {
    const { context, output } = this.#invocation;
    if (byHand) return handOver(context, args, this.#env);
    const { text, code } = await runSelf(context, args, {
      env: this.#env,
      ...(stdin && { input: stdin.text }),
      ...(onLine && { onLine }),
    });
    for (const line of text.trimEnd().split("\n")) output.line(line);
    return code;
  }
}
