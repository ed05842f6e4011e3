/** What a person at a terminal is asked for where a line lacks it, and what everybody else is told. */
import { Readable } from "node:stream";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createMachine } from "../../src/toolkit/machine.js";
import { runLine } from "../../src/cli/program.js";
import type { Command } from "../../src/toolkit/command.js";
import type { Machine } from "../../src/toolkit/machine.js";
import { createCommandLine } from "../../src/toolkit/command-line.js";
import { parseLine } from "../../src/toolkit/command.js";
import { assign } from "../../src/commands/driver/index.js";
import { remove as forgetEnvironment } from "../../src/commands/env.js";
import { grouped } from "../../src/commands/grouped.js";
import { login } from "../../src/commands/login/index.js";
import { statusCommands } from "../../src/commands/orders/index.js";
import { remove, set, use } from "../../src/commands/stores/index.js";
import { Sink, testContext, testGlobals } from "../support/context.js";
import { openAnswers } from "../../src/state/answers.js";
import { StoreDesk } from "../support/store-desk.js";
import { keepSession, openMachine, runToFailure, type TestMachine } from "../support/machine.js";

describe("at a terminal", () => {
  let test_: TestMachine;
  let asked: string[];
  beforeEach(async () => {
    test_ = await openMachine();
    asked = [];
    for (const store of ["centro", "praia"]) await keepSession(test_, store, { signed_in_at: 1 });
    const state = await test_.machine.state();
    const bia = { key: "12", label: "Bia", total_order_count: 1, total_revenue: 1, average_order_value: 1 };
    const session = await test_.machine.session("praia");
    const signIn = () => Promise.resolve(new Date(session.signed_in_at ?? 0).toISOString());
    const source = { store: "praia", environment: session.environment.base_url, signIn };
    const answer = { group_by: "driver_id", groups: [bia] };
    await openAnswers(state, source).keep({ by: "driver_id", text: "drivers" }, { askedAt: 1, answer });
    await state.settings.update((current) => ({
      ...current,
      environments: {
        homolog: {
          base_url: "https://a.example",
          auth_url: "https://b.example",
          client_id: "c",
          redirect_uri: "http://127.0.0.1:1/c",
        },
      },
    }));
  });

  /** A machine whose person gives these answers, in order: to a list, the name that begins so. */
  const answering = (...answers: readonly string[]): Machine => {
    const left = [...answers];
    const next = (question: string) => {
      asked.push(question);
      return Promise.resolve(left.shift() ?? "");
    };
    return {
      ...test_.machine,
      canAsk: () => true,
      askText: next,
      choose: async (question, choices) => {
        const answer = await next(question);
        const chosen = choices.find(({ name }) => name.startsWith(answer));
        if (!chosen) throw new Error(`${answer} is none of ${choices.map(({ name }) => name).join()}`);
        return chosen.value;
      },
    };
  };
  const completed = async (
    command: Command<unknown, unknown>,
    typed: string,
    answers: readonly string[],
  ): Promise<unknown> => {
    const words = typed.split(" ").filter((word) => /^[^@=]+$/.test(word));
    const stores = typed.split(" ").flatMap((word) => (word.startsWith("@") ? [word.slice(1)] : []));
    const values = typed.split(" ").flatMap((word) => {
      const [option, value] = word.split("=");
      return option !== undefined && value !== undefined ? [[option, value] as const] : [];
    });
    const line = createCommandLine(words, testGlobals({ stores }), new Map(values));
    return parseLine(command, (await command.ask?.(answering(...answers), line)) ?? line);
  };

  const driver = "Which driver for order 4711?";
  const byId = `${driver} The id, or the name:`;
  test.each<[string, Command<unknown, unknown>, string, string[], string[], object]>([
    ["grouped", grouped, "", ["day of week"], ["Split by what?"], { by: "day_of_week" }],
    ["grouped that has it", grouped, "--by=hour", [], [], { by: "hour" }],
    ["stores use", use, "", ["praia"], ["Which store?"], { store: "praia" }],
    ["stores remove", remove, "", ["centro"], ["Which store?"], { store: "centro" }],
    ["stores set that has it", set, "--currency=BRL", ["praia"], ["Which store?"], { currency: "BRL" }],
    ["env remove", forgetEnvironment, "", ["homolog"], ["Which environment?"], { name: "homolog" }],
    ["driver assign", assign, "4711 @praia", ["Bia"], [driver], { driver: 12, store: "praia" }],
    [
      "driver assign of another",
      assign,
      "4711 @praia",
      ["another", "bia"],
      [driver, byId],
      { driver: "bia" },
    ],
    ["driver assign where no name is known", assign, "4711 @centro", ["31"], [byId], { driver: 31 }],
  ])("%s", async (_, command, typed, answers, questions, options) => {
    await expect(completed(command, typed, answers)).resolves.toMatchObject(options);
    expect(asked).toEqual(questions);
  });

  test.each<[string, Command<unknown, unknown>, string, string]>([
    ["driver assign with two fees", assign, "4711 --fee=x", "invalid_input"],
    ["driver assign without an order", assign, "", "usage"],
  ])("%s is refused before anything is asked", async (_, command, typed, code) => {
    await expect(completed(command, typed, [])).rejects.toMatchObject({ code });
    expect(asked).toEqual([]);
  });

  test("login asks for the store's name and the environment", async () => {
    const machine = answering("norte", "sandbox");
    const line = createCommandLine([], testGlobals(), new Map());
    const { error } = await runToFailure(login, { ...test_, machine }, login.parse(line));
    expect(asked).toEqual(["A short name of your choice for the store:", "Which environment?"]);
    expect(error.code).toBe("configuration");
  });
});

describe("where nobody can be asked", () => {
  const lines = [
    ["grouped", /dimension .* is missing/],
    ["driver assign 4711", /The argument <driver> is missing/],
    ["driver assign", /The argument <order-id> is missing/],
    ["orders 4711", /There is no command "orders 4711"/],
    ["orders", /A subcommand is missing/],
    ["stores use", /The argument <alias> is missing/],
    ["stores set", /The argument <alias> is missing/],
    ["stores set centro", /Nothing to set was given/],
    ["stores rename centro", /The argument <new-alias> is missing/],
    ["env remove", /The argument <name> is missing/],
    ["login", /Which store\?/],
  ] as const;
  const run = async (line: string, isTTY: boolean) => {
    const stdin = Object.assign(Readable.from([]), { isTTY });
    const [stdout, stderr] = [new Sink(), new Sink(isTTY ? 80 : undefined)];
    const code = await runLine(
      testContext({ stdin, stdout, stderr, env: { COMANDA_LANG: "en" } }),
      line.split(" "),
    );
    return { code, stdout: stdout.text, said: stderr.text };
  };

  test.each(lines)("%s ends with 2, without a terminal and with --no-input", async (line, said) => {
    for (const ran of [await run(line, false), await run(`${line} --no-input`, true)])
      expect(ran).toEqual({ code: 2, stdout: "", said: expect.stringMatching(said) as string });
  });
});

describe("a cancel", () => {
  let store: StoreDesk;
  beforeEach(async () => {
    store = await StoreDesk.open();
  });
  afterEach(() => store.close());

  test("asks first, and any answer but yes leaves the order as it was", async () => {
    const order = await store.order();
    const asked: string[] = [];
    const cancel = async (yes: boolean) => {
      const machine: Machine = {
        ...createMachine(await store.desk.context()),
        canAsk: () => true,
        askYesNo(question) {
          asked.push(question);
          return Promise.resolve(yes);
        },
      };
      const options = { orders: [order], resume: false, reason: undefined, yes: false };
      await statusCommands.cancel.run(machine, { ...options, store: undefined, dryRun: false });
      return store.stored(order).status;
    };
    expect(await cancel(false)).toBe("confirmed");
    expect(await cancel(true)).toBe("canceled");
    expect(asked[0]).toBe(`Cancel order ${order} at centro (test)? This can't be undone.`);
  });
});
