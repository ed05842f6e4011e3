/**
 * What the layers of the client hand to each other. A layer is a function around a {@link Send}; it knows
 * nothing of the others, and none but the outermost throws for what a service or a network did.
 */
import type { Signature } from "./signature.js";
import type { RequiredScopes } from "../../contract/credentials.js";
import type { RateBucket } from "../../contract/limits.js";
import type { ComandaError, ErrorCode, Evidence, ServiceAnswer } from "../../shared/errors.js";
import type { ReadResponse } from "./response.js";
import type { HttpAnswer, HttpRequest, TransportError } from "../http/transport.js";

/** What the layers have to know of an operation: one of the contract's, or a call that somebody made up. */
export interface CalledOperation {
  readonly id: string;
  readonly scopes: RequiredScopes;
  readonly bucket: RateBucket | null;
  /** May it be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** The credentials that an operation takes, in order of preference. */
  readonly credentials: readonly Signature[];
}

/** The `id` of a call that somebody made up, in notices and in the journal. */
export const anyCallId = "request";

/** A call whose request is built. It holds no header, and no secret. */
export interface ObservedCall extends Pick<HttpRequest, "method" | "url" | "body"> {
  /** Counts the calls of this client, from 1. */
  readonly number: number;
  /** The operation's id in the contract; `request` for a call that the contract doesn't know. */
  readonly operation: string;
  /** Below the base URL, without its query. */
  readonly path: string;
  /** The order that the path names; `null` where it names none. */
  readonly order: string | null;
  /** May the service cancel an order by it, however leniently it reads the path? */
  readonly cancels: boolean;
}

/** One call of an operation on its way through the layers. */
export interface Call<Value> {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  /** What the observer is told of it. */
  readonly observed: ObservedCall;
  /** Shared by all the requests of this call. */
  readonly progress: Progress;
  /** Reads the operation's success. */
  readonly read: ReadResponse<Value>;
  /** Asked where the status of the order doesn't allow the change: a success where that was done before. */
  readonly doneBefore?: () => Promise<{ readonly value: Value } | undefined>;
}

export interface Progress {
  /** Requests that were begun. */
  attempts: number;
  /** Milliseconds spent as the service asked, which `maxWaitMs` bounds for the call as a whole. */
  waitedMs: number;
  /** What the call is signed with, once that is chosen. */
  credential?: Signature;
  /** What it would have been signed with, had the service not refused that. */
  refused?: Signature;
  /** The latest attempt of a write after which it may have been done. */
  doubt?: Failed;
  /** What the call comes to if it ends now; absent where no request of it is over. */
  verdict?: CallVerdict;
  /** Part of an answer's body has been handed on, so that no other answer can take its place. */
  delivered?: boolean;
  /** A function of the program's own failed while a body streamed. */
  fault?: ComandaError;
}

/** What an answer means to the operation that it answers. */
export type Verdict<Value> =
  | {
      readonly kind: "success";
      readonly value: Value;
      /** What the service refused it with, since it was done before. */
      readonly already?: ServiceAnswer;
    }
  | {
      readonly kind: "refusal";
      readonly code: ErrorCode;
      readonly service: ServiceAnswer;
      readonly evidence: Exclude<Evidence, "nobody">;
    };

interface Answered {
  readonly answer: HttpAnswer;
}

/** What one request came to. */
export type Attempted<Value> =
  (Verdict<Value> & Answered) | { readonly kind: "no_answer"; readonly error: TransportError };

/** Gives the evidence of an attempt. `null` for one that never went out. */
export function evidenceOf(attempted: Attempted<unknown>): Evidence | null {
  switch (attempted.kind) {
    case "success":
      return "api";
    case "refusal":
      return attempted.evidence;
    case "no_answer":
      return attempted.error.sent ? "nobody" : null;
  }
}

/** An attempt that is no success. */
export type Failed = Exclude<Attempted<never>, { readonly kind: "success" }>;

/** A write that went out, of which nothing that came back says whether it was done. */
export interface Unknown {
  readonly kind: "unknown";
  /** The attempt that may have done it. */
  readonly doubt: Failed;
  /** The last attempt, which may be a later one. */
  readonly last: Failed;
  /** The last attempt was refused as one is that was done before. */
  readonly doneOrRefused?: true;
}

/** What a call came to. */
export type CallOutcome<Value> = Attempted<Value> | Unknown;

/** What a call comes to if it ends now, all its requests so far together. */
export interface CallVerdict {
  /**
   * `refused`: the service said no; `failed`: it certainly did not happen; `unknown`: it may have happened. What only asks
   * is never unknown.
   */
  readonly outcome: "done" | "refused" | "failed" | "unknown";
  /** `null` where no answer came. */
  readonly httpStatus: number | null;
  /** The API's code where the service gave one, the library's own otherwise; `null` where all went well. */
  readonly code: number | string | null;
  /** Who said it. `null` where nothing was sent. */
  readonly evidence: Evidence | null;
}

/** A layer; the innermost one sends one request and decides nothing. */
export type Send = <Value>(call: Call<Value>) => Promise<Attempted<Value>>;
