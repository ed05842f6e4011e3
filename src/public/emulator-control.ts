/** What a test does to the service that its program never sees: apps, installations, tokens, cancellations, drivers. */
import type { Order } from "../contract/models.js";
import type { Scope } from "../contract/scopes.js";
import type { App, Driver, Installation } from "../emulator/domain/model.js";
import type { Lifetimes } from "../emulator/http/oauth/choices.js";

/** What changes of an app. What isn't named stays as it is. */
export interface AppChange {
  /** Default `comanda-local`, the emulator's own; an id that isn't there yet is a new app's. */
  readonly clientId?: string;
  readonly name?: string;
  /** Compared to the letter. */
  readonly redirectUris?: readonly string[];
  /** One that isn't approved is answered `invalid_client`. */
  readonly approved?: boolean;
  /** Section 5.3. Tokens that were issued before keep theirs. */
  readonly scopes?: readonly Scope[];
}

/** What changes of a driver. What isn't named stays as it is. */
export interface DriverChange {
  /** One that isn't there yet is a new driver's. */
  readonly id: number;
  /** Default: where the driver is, or the first store. */
  readonly storeId?: number;
  readonly name?: string;
  /** Only an active one can be assigned (section 4.1). */
  readonly active?: boolean;
}

export interface EmulatorControl {
  /** @returns the app as it is now */
  setApp(change: AppChange): App;
  /** Which app is installed where, also where it isn't any more. */
  installations(): readonly Installation[];
  /**
   * A store removes an app, or all of them: their tokens and codes are good no more.
   *
   * @throws {RangeError} where there is no such store
   */
  uninstall(storeId: number, clientId?: string): void;
  /** Revokes the tokens of a store, or all there are; apps stay installed. */
  revokeTokens(storeId?: number): void;
  /**
   * Seconds that codes and tokens live that are issued from now on.
   *
   * @throws {RangeError} where one isn't a positive number
   */
  setTokenLifetimes(lifetimes: Partial<Lifetimes>): void;
  /** The drivers of all stores, or of one. */
  drivers(storeId?: number): readonly Driver[];
  /**
   * Makes a driver, or changes one.
   *
   * @throws {RangeError} where there is no such store
   */
  setDriver(change: DriverChange): Driver;
  /**
   * How cancellations of orders end that are paid online by credit card (section 3): after so many seconds of the
   * emulator's time; null leaves them in `canceling`.
   */
  setCancellation(settings: {
    readonly afterSeconds?: number | null;
    readonly result?: "succeeds" | "fails";
  }): void;
  /**
   * Ends a cancellation that is under way.
   *
   * @throws {RangeError} where the order isn't in `canceling`
   */
  endCancellation(orderId: number, result: "succeeds" | "fails"): Order;
}
