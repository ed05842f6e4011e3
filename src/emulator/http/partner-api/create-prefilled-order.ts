/** Section 4.9. */
import { operations } from "../../../contract/operations.js";
import type { PrefilledOrder } from "../../../contract/prefilled-order.js";
import { jsonAnswer, refuse } from "../answers.js";
import { invalidParameters, prefilledOrderSuccess } from "../../domain/choices.js";
import { readJsonBody } from "../json-body.js";
import { resolveCart } from "../menu/cart.js";
import { checkoutPath, orderPath } from "../menu/paths.js";
import type { Call } from "./mount.js";

const { body: asked } = operations.createPrefilledOrder;

export async function createPrefilledOrder({ c, service, store }: Call): Promise<Response> {
  const body = await readJsonBody(c, asked.schema);
  if (!body.ok) return refuse(body.refusal);
  const { lines, problems } = resolveCart(body.value.cart);
  if (problems.length > 0) return refuse(invalidParameters(problems.join("; ")));
  const { prefilledOrders, clock } = service.world;
  const made = { storeId: store.id, createdAt: clock.now(), body: body.value, lines };
  const { id } = prefilledOrders.add(made);
  // The menu is reached under the address that the API is.
  const { origin } = new URL(c.req.url);
  const links: PrefilledOrder = {
    id,
    order_url: origin + orderPath(store.id, id),
    checkout_url: origin + checkoutPath(store.id, id),
  };
  return jsonAnswer(links, prefilledOrderSuccess);
}
