/** Serves clock, log, faults and limits below `/_emulator`, and what the stores sell. */
import { Hono } from "hono";
import * as z from "zod/mini";

import { numberFromCents } from "../../../contract/money.js";
import { invalidParameters } from "../../domain/choices.js";
import { emptyAnswer, jsonAnswer, refuse } from "../answers.js";
import { readJsonBody, readOptionalJsonBody } from "../body.js";
import { faultSchema } from "../faults/fault.js";
import type { CatalogItem, OptionGroup } from "../../seed/catalog.js";
import { chosenReadings } from "../../readings.js";
import type { ServiceEnv, Service } from "../../service.js";

/** A Date can hold this. */
const instant = z.number().check(z.minimum(0), z.maximum(8.64e15));
const seconds = z.number().check(z.minimum(-1e9), z.maximum(1e9));
export const clockSchema = z
  .strictObject({
    now: z.optional(z.union([z.iso.datetime({ offset: true }), instant])),
    advance_seconds: z.optional(seconds),
  })
  .check(
    z.refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
      message: "either now or advance_seconds is needed",
    }),
  );
export const resetSchema = z.strictObject({ tokens: z.optional(z.boolean()) });
export const limitsSchema = z.strictObject({ enabled: z.boolean() });
export const faultsSchema = z.array(faultSchema);

export function stateControl(service: Service): Hono<ServiceEnv> {
  const { world, log, faults, limiter } = service;
  const app = new Hono<ServiceEnv>();

  app.post("/reset", async (c) => {
    const body = await readOptionalJsonBody(c, resetSchema);
    if (!body.ok) return refuse(body.refusal);
    service.reset({ tokens: body.value?.tokens ?? false });
    return emptyAnswer(204);
  });

  const clock = (): Response => {
    const now = world.clock.now();
    return jsonAnswer({ now: new Date(now).toISOString(), milliseconds: now });
  };
  app.get("/clock", clock);
  app.put("/clock", async (c) => {
    const body = await readJsonBody(c, clockSchema);
    if (!body.ok) return refuse(body.refusal);
    const { now, advance_seconds = 0 } = body.value;
    if (now !== undefined) world.clock.set(new Date(now).getTime());
    else world.clock.advance(advance_seconds * 1_000);
    return clock();
  });

  app.get("/readings", () => jsonAnswer({ readings: chosenReadings(service.readings) }));

  app.get("/log", () => jsonAnswer({ requests: log.entries() }));
  app.delete("/log", () => {
    log.clear();
    return emptyAnswer(204);
  });

  const activeFaults = (): Response => jsonAnswer({ faults: faults.list() });
  app.get("/faults", activeFaults);
  /** One fault or a list of them replaces those before. */
  app.put("/faults", async (c) => {
    const body = await readJsonBody(c, z.pipe(z.transform(asList), faultsSchema));
    if (!body.ok) return refuse(body.refusal);
    faults.set(body.value);
    return activeFaults();
  });
  app.delete("/faults", () => {
    faults.set([]);
    return emptyAnswer(204);
  });

  const limits = (): Response => jsonAnswer({ enabled: limiter.enabled });
  app.get("/limits", limits);
  app.put("/limits", async (c) => {
    const body = await readJsonBody(c, limitsSchema);
    if (!body.ok) return refuse(body.refusal);
    limiter.enabled = body.value.enabled;
    limiter.clear();
    return limits();
  });
  return app;
}

function asList(body: unknown): unknown {
  return Array.isArray(body) ? body : [body];
}

export function catalogControl({ world }: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  /** Shows the catalog of one store, by default the first. */
  app.get("/catalog", (c) => {
    const store = c.req.query("store") ?? String([...world.stores.keys()][0]);
    const catalog = world.catalogs.get(Number(store));
    if (!catalog) return refuse(invalidParameters(`store: there is no store ${store}`));
    return jsonAnswer({ items: catalog.items.map(itemView) });
  });

  /** Lists what came in, newest first. */
  app.get("/prefilled-orders", () =>
    jsonAnswer({
      prefilled_orders: [...world.prefilledOrders.all()]
        .reverse()
        .map(({ id, storeId, createdAt, body }) => ({
          id,
          store_id: storeId,
          created_at: new Date(createdAt).toISOString(),
          body,
        })),
    }),
  );
  return app;
}

function itemView({ id, externalCode, name, price, byWeight, groups, steps }: CatalogItem) {
  return {
    item_id: id,
    external_code: externalCode,
    name,
    kind: steps ? "combo" : "regular_item",
    price: numberFromCents(price),
    by_weight: byWeight ?? false,
    option_groups: groups.map(groupView),
    combo_steps: (steps ?? []).map((step) => ({
      combo_step_id: step.id,
      name: step.name,
      items: step.items.map((item) => ({
        item_id: item.id,
        name: item.name,
        option_groups: item.groups.map(groupView),
      })),
    })),
  };
}

function groupView({ id, name, options }: OptionGroup) {
  return {
    option_group_id: id,
    name,
    options: options.map((option) => ({
      option_id: option.id,
      name: option.name,
      price: numberFromCents(option.price),
    })),
  };
}
