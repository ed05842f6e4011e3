/**
 * What a command may use of the machine that it runs on, each part loaded when it is used for the first time: a usage
 * error loads none of it. All dynamic imports of the commands stand here.
 */
import type { Readable } from "node:stream";

import type * as keys from "../auth/api-key.js";
import type * as keepSession from "../auth/keep-session.js";
import type * as signIn from "../auth/sign-in.js";
import type * as signOut from "../auth/sign-out.js";
import type * as tokenEndpoint from "../auth/token-endpoint.js";
import type { Transport } from "../client/index.js";
import type * as emulator from "../emulator/index.js";
import type * as openApiDocument from "../openapi/document.js";
import type * as answers from "../state/answers.js";
import type { KnownDriver } from "../state/drivers.js";
import type * as clearing from "../state/journal/clear-history.js";
import type * as journalHistory from "../state/journal/history.js";
import type * as journalRuns from "../state/journal/runs.js";
import type * as settling from "../state/journal/settle.js";
import type * as copying from "../state/copy-state.js";
import type { Session } from "../state/sessions/session.js";
import type * as stateKeys from "../state/state-keys.js";
import type { SettingsFile } from "../state/settings/settings.js";
import type { Period } from "../sales/period/period.js";
import type { PeriodRequest } from "../sales/period/resolve.js";
import type * as reportPage from "../sales/page/document.js";
import { t } from "../shared/language.js";
import type { Choice } from "../terminal/prompt.js";
import { wantsColors, type Output, type OutputStream } from "../terminal/index.js";

import type { StoreChoice, StoreFlag } from "./choose-store.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import { hasPerson, type Context, type Invocation } from "./context.js";
import type * as prefillReader from "../commands/prefill/gather-orders.js";
import type * as prefillSchema from "../commands/prefill/json-schema.js";
import type * as qrCode from "../commands/prefill/qr-code.js";
import type * as sqlReader from "../commands/sql/reader.js";
import type { State } from "./state.js";
import type { StoreQuota } from "../commands/quota/store-quotas.js";
import type { OpenStores, OpenStoresOptions } from "../sales/ask/stores.js";

export interface Machine {
  readonly context: Context;
  readonly output: Output;
  /** Results and errors alone: no notices, no progress. */
  readonly quiet: boolean;
  /** Where `--debug` goes; absent without it. */
  readonly debug: ((message: string) => void) | undefined;
  /** What is kept, on the disk or in a chain's database: sessions, settings, figures. */
  state(): Promise<State>;
  /** The settings that are this machine's own: no server is asked. */
  ownSettings(): Promise<SettingsFile>;
  /** Looks at all that is kept, and copies it. */
  stateTools(): Promise<typeof copying & typeof stateKeys>;
  /**
   * A place for state, as it is kept in the settings.
   *
   * @throws {ComandaError} `configuration`; `usage` for a password, which settings are no place for
   */
  statePlace(text: string): Promise<string>;
  /**
   * The session of a store that this machine knows.
   *
   * @throws {ComandaError} `invalid_input` for an alias that isn't known
   */
  session(alias: string): Promise<Session>;
  /**
   * The session of the store that is meant.
   *
   * @throws {ComandaError} as `chooseStore`
   */
  chooseSession(flag: StoreFlag): Promise<Session>;
  /**
   * Whose credentials are used: those of a session, or of the environment variables.
   *
   * @throws {ComandaError} as `chooseStore`
   */
  chooseStore(flag: StoreFlag): Promise<StoreChoice>;
  /**
   * A client for the store that is meant. The caller closes it.
   *
   * @throws {ComandaError} as `chooseStore`; `not_signed_in` where the store lacks the credential that is asked for
   */
  connection(options: ConnectionOptions): Promise<Connection>;
  /** Runs of many orders in the journal. */
  journalRuns(): Promise<typeof journalRuns>;
  /** What this machine did. */
  history(): Promise<typeof journalHistory>;
  /** Changes what the journal says of what this machine did: forgets it, or says what a person has looked up. */
  historyChanges(): Promise<typeof clearing & typeof settling>;
  /**
   * Which store is meant, where nothing is asked of it: one that is named needn't be known any more.
   *
   * @param named as `--store` names it
   * @throws {ComandaError} as `chooseSession`
   */
  storeAlias(named: string | undefined): Promise<string>;
  /**
   * As {@link storeAlias}, for a command that may be of several stores.
   *
   * @throws {ComandaError} as `chooseStores`
   */
  storeAliases(wanted: {
    readonly stores: readonly string[];
    readonly allStores: boolean;
  }): Promise<readonly string[]>;
  /**
   * Writes an amount for people, by the locale and the currency of a store.
   *
   * @param store its alias; `undefined` for one that the environment variables name
   */
  amounts(store: string | undefined): Promise<(value: number) => string>;
  /**
   * A period in the days of a store.
   *
   * @param place.zone in place of the store's own
   * @throws {ComandaError} `invalid_input`
   */
  period(
    request: PeriodRequest,
    place: { readonly store: string; readonly zone: string | undefined },
  ): Promise<Period>;
  /**
   * A moment as it was typed after an option. A day begins in the zone of the store, if one is named, else of the
   * settings, else of this machine.
   *
   * @returns milliseconds since the epoch
   * @throws {ComandaError} as `parseMoment`
   */
  moment(option: string, text: string, store: string | undefined): Promise<number>;
  /** A store's drivers as far as sales figures have told them, by id. */
  knownDrivers(store: string): Promise<readonly KnownDriver[]>;
  /**
   * What is counted of the stores' requests: of the one that is named or that variables describe, else of all.
   *
   * @throws {ComandaError} as `chooseStore`
   */
  quotas(store: string | undefined): Promise<readonly StoreQuota[]>;
  /** For a run of many small calls, before the first of them. */
  expectManyCalls(): Promise<void>;
  /**
   * The stores whose sales figures are asked for. The caller closes them.
   *
   * @throws {ComandaError} as `chooseStores`
   */
  stores(options: OpenStoresOptions): Promise<OpenStores>;
  /**
   * For calls that are no client's, such as a sign-in's. The caller closes it.
   *
   * @param baseUrl where they go, if that is known before
   * @throws {ComandaError} `configuration` for a proxy that can't be used
   */
  transport(baseUrl?: string): Promise<Transport>;
  /**
   * A file that a command reads, which may be a pipe: the signal ends the reading.
   *
   * @throws {Error} with the system's `code` where there is no such file; one that can't be read tells when it is read
   * @throws {ComandaError} `usage` for a terminal, which nobody knows to be waited for
   */
  readonly inputFile: (file: string, signal: AbortSignal) => Promise<Readable>;
  /** Signing in and out. */
  auth(): Promise<typeof keys & typeof keepSession & typeof signIn & typeof signOut & typeof tokenEndpoint>;
  /** May a question be asked? Only where a person sits in front of both ends, and didn't say `--no-input`. */
  canAsk(): boolean;
  /** Asks for a line of text. Ask `canAsk` before. */
  askText(question: string): Promise<string>;
  /** Asks for one of several; `name` is what is shown of it. Ask `canAsk` before. */
  choose(question: string, choices: readonly Choice[]): Promise<string>;
  /** Asks a question that is answered yes or no; just Enter means no. Ask `canAsk` before. */
  askYesNo(question: string): Promise<boolean>;
  /**
   * Asks for a secret; what is typed is not shown.
   *
   * @param signal takes the question back
   */
  askSecret(question: string, signal?: AbortSignal): Promise<string>;
  /**
   * The IANA name of a time zone as it is kept; without a name this machine's own.
   *
   * @throws {ComandaError} `invalid_input` where there is no such zone
   */
  timeZone(name?: string): Promise<string>;
  /** Are colours wanted on this stream? */
  colors(stream: OutputStream): boolean;
  /** Sales figures that are kept. */
  answers(): Promise<Pick<typeof answers, "clearAnswers">>;
  /** This machine as it would be with these environment variables alone. */
  withEnvironment(env: Context["env"]): Machine;
  emulator(): Promise<typeof emulator>;
  openApi(): Promise<typeof openApiDocument>;
  /** Reads what is kept by a statement in SQL. */
  sqlReader(): Promise<typeof sqlReader>;
  /** What draws a report's page and its pictures. */
  reportPage(): Promise<typeof reportPage>;
  /** Reads orders that are written in YAML and JSON, and checks them. */
  prefillReader(): Promise<typeof prefillReader>;
  prefillSchema(): Promise<typeof prefillSchema>;
  qrCode(): Promise<typeof qrCode>;
}

export function createMachine(invocation: Invocation): Machine {
  const { context, settings, output } = invocation;
  // Node opens stdin at the first look at it, which takes 4 ms: only where something is asked.
  const streams = (signal: AbortSignal = context.signal) => ({
    input: context.stdin,
    output: context.stderr.stream,
    signal,
  });
  const canAsk = () => settings.input && hasPerson(context);
  const choose: Machine["choose"] = async (question, choices) => {
    const prompt = await import("../terminal/prompt.js");
    return prompt.choose(question, choices, streams(), output.plain);
  };
  const pickStore = async (known: readonly string[]) =>
    canAsk()
      ? choose(
          t`Which store?`,
          known.map((value) => ({ value, name: value })),
        )
      : undefined;
  let opened: Promise<State> | undefined;
  const state = () => (opened ??= import("./state.js").then(({ openState }) => openState(invocation)));
  const machine: Machine = {
    context,
    output,
    quiet: settings.quiet,
    debug: settings.debug
      ? (message) => {
          output.notice(`debug: ${message}`);
        }
      : undefined,
    state,
    ownSettings: async () => (await import("./state.js")).openOwnSettings(invocation),
    stateTools: async () => ({
      ...(await import("../state/copy-state.js")),
      ...(await import("../state/state-keys.js")),
    }),
    statePlace: async (text) => (await import("./state.js")).statePlace(text),
    async session(alias) {
      const { knownSession } = await import("./choose-store.js");
      return knownSession((await state()).sessions, alias);
    },
    async chooseSession(flag) {
      const { chooseSession } = await import("./choose-store.js");
      return chooseSession(context, await state(), { ...flag, pick: pickStore });
    },
    async chooseStore(flag) {
      const { chooseStore } = await import("./choose-store.js");
      return chooseStore(context, await state(), { ...flag, pick: pickStore });
    },
    async connection(options) {
      const { openConnection } = await import("./connection.js");
      return openConnection(invocation, machine, { ...options, pick: pickStore });
    },
    async transport(baseUrl) {
      const { checkProxy, openTransport } = await import("./connection.js");
      if (baseUrl !== undefined) checkProxy(invocation, baseUrl);
      return openTransport(invocation);
    },
    inputFile: async (file, signal) => (await import("./input-file.js")).openInputFile(file, signal),
    auth: async () => ({
      ...(await import("../auth/api-key.js")),
      ...(await import("../auth/keep-session.js")),
      ...(await import("../auth/sign-in.js")),
      ...(await import("../auth/sign-out.js")),
      ...(await import("../auth/token-endpoint.js")),
    }),
    journalRuns: () => import("../state/journal/runs.js"),
    history: () => import("../state/journal/history.js"),
    historyChanges: async () => ({
      ...(await import("../state/journal/clear-history.js")),
      ...(await import("../state/journal/settle.js")),
    }),
    async storeAlias(store) {
      const { chooseSession, keptAlias } = await import("./choose-store.js");
      if (store !== undefined) return keptAlias(await state(), store);
      return (await chooseSession(context, await state(), { store })).store;
    },
    async storeAliases({ stores, allStores }) {
      const { chooseSession, chooseStores, distinctStores, keptAlias } = await import("./choose-store.js");
      if (!allStores && stores.length > 0) {
        const known = await state();
        return Promise.all(distinctStores(stores).map((store) => keptAlias(known, store)));
      }
      if (!allStores) return [(await chooseSession(context, await state(), { store: undefined })).store];
      const chosen = await chooseStores(context, await state(), { stores, allStores });
      const choices = chosen.kind === "one" ? [chosen.choice] : chosen.choices;
      return choices.flatMap((choice) => {
        if (choice.kind === "missing") return choice.store;
        return choice.kind === "session" ? choice.session.store : [];
      });
    },
    async amounts(store) {
      const [{ createNumberFormat }, { preferencesFor }] = await Promise.all([
        import("../sales/present/number-format.js"),
        import("../sales/ask/preferences.js"),
      ]);
      const { display } = preferencesFor({}, await (await state()).settings.read(), store);
      const { amount } = createNumberFormat(display);
      return amount;
    },
    async period(request, { store, zone }) {
      const [{ resolveOnBusinessDays }, { preferencesFor }] = await Promise.all([
        import("../sales/period/resolve.js"),
        import("../sales/ask/preferences.js"),
      ]);
      const days = preferencesFor({ time_zone: zone }, await (await state()).settings.read(), store);
      const { period } = resolveOnBusinessDays(request, {
        now: context.clock.now(),
        zone: days.zone,
        dayStarts: days.dayStarts,
      });
      return period;
    },
    async moment(option, text, store) {
      const [{ parseMoment }, { preferencesFor }] = await Promise.all([
        import("../commands/history/moments.js"),
        import("../sales/ask/preferences.js"),
      ]);
      const { zone, dayStarts } = preferencesFor({}, await (await state()).settings.read(), store);
      return parseMoment(option, text, { now: context.clock.now(), zone, dayStarts });
    },
    async knownDrivers(store) {
      const { knownDrivers } = await import("../state/drivers.js");
      return knownDrivers((await state()).data, store);
    },
    async quotas(store) {
      const { openQuotas } = await import("../commands/quota/store-quotas.js");
      return openQuotas(invocation, await state(), store);
    },
    async expectManyCalls() {
      const { setFlagsFromString } = await import("node:v8");
      // None of the calls leaves anything behind: where the engine's young generation may not grow, 100,000 of them
      // take half the memory and a sixth less time (Node 20 to 26). It is read each time that the collector thinks of
      // growing it, so that it can be set now.
      setFlagsFromString("--semi-space-growth-factor=1");
      // Of the old generation little lives: to collect it after a growth by a third takes no measurable time, and 4 MiB
      // less at 100,000 ids.
      setFlagsFromString("--heap-growing-percent=30");
    },
    async stores(options) {
      const { openStores } = await import("../sales/ask/stores.js");
      return openStores(invocation, machine, { ...options, pick: pickStore });
    },
    canAsk,
    choose,
    async askYesNo(question) {
      const { askYesNo } = await import("../terminal/prompt.js");
      return askYesNo(question, streams());
    },
    async askText(question) {
      const { askText } = await import("../terminal/prompt.js");
      return askText(question, streams());
    },
    async askSecret(question, signal) {
      const { askSecret } = await import("../terminal/prompt.js");
      return askSecret(question, streams(signal));
    },
    async timeZone(name) {
      const { machineZone, resolveZone } = await import("../sales/period/calendar.js");
      return resolveZone(name ?? machineZone());
    },
    answers: () => import("../state/answers.js"),
    withEnvironment: (env) => createMachine({ ...invocation, context: { ...context, env } }),
    emulator: () => import("../emulator/index.js"),
    colors: (stream) => wantsColors(stream, context.env, settings.color),
    sqlReader: () => import("../commands/sql/reader.js"),
    openApi: () => import("../openapi/document.js"),
    reportPage: () => import("../sales/page/document.js"),
    prefillReader: () => import("../commands/prefill/gather-orders.js"),
    prefillSchema: () => import("../commands/prefill/json-schema.js"),
    qrCode: () => import("../commands/prefill/qr-code.js"),
  };
  return machine;
}
