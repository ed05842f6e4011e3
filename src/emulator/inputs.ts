/** What a program puts into the emulator, as plain types. */
import type { OrderStatus, OrderTiming, OrderType } from "../contract/enums.js";
import type { OperationId, Order } from "../contract/models.js";

type Given<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined };

/** Fields of section 2.1; values that the API keeps open, of an order that comes in, are closed here. */
export interface NewOrder extends Given<Omit<Order, "status" | "order_type" | "order_timing">> {
  status?: OrderStatus | undefined;
  order_type?: OrderType | undefined;
  order_timing?: OrderTiming | undefined;
  /** It belongs to a delivery route, so that its driver can't be changed (section 4.1, rule 1). */
  in_delivery_route?: boolean | undefined;
  /** The ids that figures are split by (section 4.7). */
  payment_method_ids?: number[] | undefined;
}

/** A driver of a store of one's own. */
export interface StoreDriverInput {
  /** Unique over all stores. */
  id: number;
  name: string;
  /** Default true. One who isn't can't be assigned (section 4.1). */
  active?: boolean | undefined;
}

export interface OptionGroupInput {
  option_group_id: number;
  name: string;
  /** At least one; `price` as an amount with at most two decimals, default 0. */
  options: { option_id: number; name: string; price?: number | undefined }[];
}

/** What a store of one's own sells. */
export interface CatalogItemInput {
  item_id: number;
  name: string;
  /** An amount with at most two decimals, for example 24.9. */
  price: number;
  external_code?: string | null | undefined;
  option_groups?: OptionGroupInput[] | undefined;
}

/** A store of one's own. What isn't given is made up. */
export interface StoreInput {
  id: number;
  name?: string | undefined;
  /** IANA name; default `America/Sao_Paulo`. */
  time_zone?: string | undefined;
  /** ISO 4217; default `BRL`. */
  currency?: string | undefined;
  /** Default none. */
  drivers?: StoreDriverInput[] | undefined;
  /** What it sells; default what the emulator's stores sell. */
  catalog?: CatalogItemInput[] | undefined;
}

/** Which requests a fault is for. Every condition that is given must hold. */
export interface FaultMatch {
  method?: string | undefined;
  /** A part of the path, or a pattern in which `*` stands for anything and which the whole path must fit. */
  path?: string | undefined;
  operation?: OperationId | undefined;
}

interface AnyFault {
  match?: FaultMatch | undefined;
  /** For so many requests; without it, for all. */
  times?: number | undefined;
  /** So many matching requests go well first. */
  after?: number | undefined;
  /** Whether the request is processed: `after` makes the answer go wrong of a change that has happened. */
  when?: "before" | "after" | undefined;
}

/** Something that goes wrong. What has a default may be left out. */
export type FaultInput = AnyFault &
  (
    | {
        /** Another status; without a body, an error body as a gateway has it. */
        kind: "status";
        /** From 200 to 599. */
        status: number;
        body?: string | undefined;
        content_type?: string | undefined;
        headers?: Record<string, string> | undefined;
      }
    | {
        /**
         * `reset`: no answer; `hang`: none until the client gives up; `truncate`: the head and half of the body; `not_http`:
         * not even HTTP.
         */
        kind: "reset" | "hang" | "truncate" | "not_http";
      }
    | {
        /** The right answer, late. */
        kind: "delay";
        /** Milliseconds, at most 600,000. */
        ms: number;
      }
    | {
        /** `garbage`: says that it is JSON, and isn't; `html`: a page; `empty`: no body. */
        kind: "garbage" | "html" | "empty";
        /** From 200 to 599. */
        status?: number | undefined;
      }
    | { kind: "redirect"; location: string; status?: number | undefined }
    | {
        /** A JSON body of so many bytes. */
        kind: "oversize";
        bytes: number;
      }
    | {
        /** HTTP 429. */
        kind: "rate_limit";
        /** Seconds, or a date as HTTP writes it; without it, no `Retry-After`. */
        retry_after?: number | string | undefined;
      }
  );
