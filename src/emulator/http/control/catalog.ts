/** `/_emulator/catalog`: what the stores sell, with the ids that a pre-filled order names (section 4.9). */
import { Hono } from "hono";

import { numberFromCents } from "../../../contract/money.js";
import { jsonAnswer } from "../answers.js";
import { catalogItems, type CatalogItem, type OptionGroup } from "../../seed/catalog.js";
import type { Environment, Service } from "../../service.js";

export function catalogControl({ world }: Service): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/catalog", () => jsonAnswer({ items: catalogItems.map(itemView) }));

  /** What came in, newest first. */
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
