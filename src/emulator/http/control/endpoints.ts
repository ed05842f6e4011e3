/** The control surface is a table here, for the front page and for its OpenAPI document. */
import * as z from "zod/mini";

import { faultSchema } from "../faults/fault.js";
import {
  appSchema,
  authorizeSchema,
  driverSchema,
  lifetimesSchema,
  revokeSchema,
  signInSchema,
  uninstallSchema,
} from "./installations.js";
import { newOrderSchema } from "./new-order.js";
import { cancellationSchema, endSchema, filterSchema } from "./orders.js";
import { clockSchema, faultsSchema, limitsSchema, resetSchema } from "./state.js";

export const controlPath = "/_emulator";

export interface ControlEndpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path is below {@link controlPath}. */
  readonly path: string;
  readonly what: string;
  readonly query?: readonly string[];
  readonly body?: z.ZodMiniType;
  /** Success has this status; 200 where there is none. */
  readonly status?: 201 | 204;
}

export const controlEndpoints: readonly ControlEndpoint[] = [
  {
    method: "GET",
    path: "/orders",
    what: "Orders, newest first: ?store= &status= &order_type= &limit= &offset=; next leads on",
    query: Object.keys(filterSchema.shape),
  },
  {
    method: "POST",
    path: "/orders",
    what: "Makes an order; what isn’t named is made up",
    body: newOrderSchema,
    status: 201,
  },
  { method: "GET", path: "/orders/:id", what: "One order" },
  {
    method: "POST",
    path: "/orders/:id/cancellation",
    what: "Ends a cancellation that is under way: {result}",
    body: endSchema,
  },
  {
    method: "GET",
    path: "/cancellation",
    what: "How cancellations of orders paid online by credit card end",
  },
  {
    method: "PUT",
    path: "/cancellation",
    what: "The same, changed: {after_seconds, result}",
    body: cancellationSchema,
  },
  {
    method: "GET",
    path: "/catalog",
    what: "What a store sells: ?store=; items, option groups and combo steps with their ids",
    query: ["store"],
  },
  { method: "GET", path: "/prefilled-orders", what: "Pre-filled orders as they came in, newest first" },
  { method: "GET", path: "/stores", what: "Stores with their drivers, people and API keys; the partner key" },
  {
    method: "PUT",
    path: "/drivers",
    what: "Makes a driver, or changes one: {id, store_id, name, active}",
    body: driverSchema,
  },
  { method: "GET", path: "/installations", what: "Which app is installed where" },
  {
    method: "POST",
    path: "/sign-in",
    what: "Installs comanda’s own app at a store, and gives its tokens: {store_id}",
    body: signInSchema,
    status: 201,
  },
  {
    method: "POST",
    path: "/authorize",
    what: "The owner’s part of an app’s sign-in; gives the redirect’s address: {url, person, store, allow}",
    body: authorizeSchema,
  },
  {
    method: "POST",
    path: "/uninstall",
    what: "A store removes an app: {store_id, client_id}",
    body: uninstallSchema,
    status: 204,
  },
  {
    method: "PUT",
    path: "/tokens",
    what: "Lifetimes of codes and tokens, in seconds",
    body: lifetimesSchema,
    status: 204,
  },
  {
    method: "POST",
    path: "/revoke",
    what: "Revokes the tokens of a store, or all: {store_id}",
    body: revokeSchema,
    status: 204,
  },
  {
    method: "PUT",
    path: "/app",
    what: "How an app is registered: redirect addresses, approval, scopes",
    body: appSchema,
  },
  { method: "GET", path: "/clock", what: "The emulator’s time" },
  { method: "PUT", path: "/clock", what: "Sets it: {now} or {advance_seconds}", body: clockSchema },
  { method: "GET", path: "/readings", what: "What the specification leaves open, and what it is here" },
  { method: "GET", path: "/log", what: "The last requests" },
  { method: "DELETE", path: "/log", what: "Empties the log", status: 204 },
  { method: "GET", path: "/faults", what: "What is set to go wrong" },
  {
    method: "PUT",
    path: "/faults",
    what: "Sets what goes wrong: one fault or a list",
    body: z.union([faultSchema, faultsSchema]),
  },
  { method: "DELETE", path: "/faults", what: "Nothing goes wrong any more", status: 204 },
  { method: "GET", path: "/limits", what: "Are the rate limits on?" },
  { method: "PUT", path: "/limits", what: "Switches them: {enabled}", body: limitsSchema },
  {
    method: "POST",
    path: "/reset",
    what: "Back to the start: {tokens: true} signs everybody out",
    body: resetSchema,
    status: 204,
  },
  { method: "GET", path: "/openapi.json", what: "This control surface as an OpenAPI document" },
];
