/** Serves the digital menu, behind the links of pre-filled orders (section 4.9). */
import { type Context, Hono } from "hono";

import type { World } from "../../domain/world.js";
import { CheckoutPage, NotFoundPage, OrderPage } from "./pages.js";
import { sendPage } from "../page.js";
import { type PageVariables, pageHeaders } from "../portal/forms.js";

/** Makes the routes below `/menu`. The pages' links begin with it. */
export function menuRoutes(world: World): Hono<PageVariables> {
  const routes = new Hono<PageVariables>();
  routes.use(pageHeaders);

  const pages = [
    ["/:store/prefilled/:id", OrderPage],
    ["/:store/prefilled/:id/checkout", CheckoutPage],
  ] as const;
  for (const [path, Page] of pages) {
    routes.get(path, (c) => {
      const store = world.stores.get(Number(c.req.param("store")));
      const order = store && world.prefilledOrders.find(store.id, c.req.param("id"));
      if (!order) return noMenuPage(c);
      return sendPage(c, <Page store={store} order={order} />);
    });
  }
  return routes;
}

/** Answers a path below the menu's that has no page. */
export function noMenuPage(c: Context) {
  return sendPage(c, <NotFoundPage />, 404);
}
