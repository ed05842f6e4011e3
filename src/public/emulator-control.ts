/**
 * A test does these things to the service, and its program never sees them: apps, installations, tokens,
 * cancellations, drivers.
 */
import type { Order } from "../contract/models.js";
import type { Scope } from "../contract/scopes.js";
import type { App, Driver, Installation } from "../emulator/domain/model.js";
import type { Lifetimes } from "../emulator/http/oauth/choices.js";

/** An app is changed in these fields. A field that is left out stays as it is. */
export interface AppChange {
  /** The app has this id. The default is `comanda-local`, the emulator's own app; an unknown id makes a new app. */
  readonly clientId?: string;
  readonly name?: string;
  /** Redirect addresses are compared to the letter (section 5.2). */
  readonly redirectUris?: readonly string[];
  /** An app that isn't approved is answered `invalid_client` (section 7). */
  readonly approved?: boolean;
  /** The app has these scopes (section 5.3). Tokens that were issued before keep theirs. */
  readonly scopes?: readonly Scope[];
}

/** A driver is changed in these fields. A field that is left out stays as it is. */
export interface DriverChange {
  /** The driver has this id. An unknown id makes a new driver. */
  readonly id: number;
  /** The driver belongs to the store of this id. The default is the driver's store so far, or the first store. */
  readonly storeId?: number;
  readonly name?: string;
  /** Only an active driver can be assigned (section 4.1). */
  readonly active?: boolean;
}

export interface EmulatorControl {
  /**
   * Changes an app, or makes a new one.
   *
   * @returns the app as it is now
   */
  setApp(change: AppChange): App;
  /** Lists which app is or was installed at which store. */
  installations(): readonly Installation[];
  /**
   * Removes an app, or all apps, from a store: their tokens and codes are no longer valid (section 5.2).
   *
   * @throws {RangeError} where there is no such store
   */
  uninstall(storeId: number, clientId?: string): void;
  /** Revokes the tokens of a store, or of all stores; apps stay installed. */
  revokeTokens(storeId?: number): void;
  /**
   * Sets how many seconds codes and tokens live that are issued from now on.
   *
   * @throws {RangeError} where one isn't a positive number
   */
  setTokenLifetimes(lifetimes: Partial<Lifetimes>): void;
  /** Lists the drivers of all stores, or of one. */
  drivers(storeId?: number): readonly Driver[];
  /**
   * Makes a driver, or changes one.
   *
   * @throws {RangeError} where there is no such store
   */
  setDriver(change: DriverChange): Driver;
  /**
   * Sets how cancellations end of orders that are paid online by credit card (section 3). They end after
   * `afterSeconds` of the emulator's time; null leaves them in `canceling`.
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
