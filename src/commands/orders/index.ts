/** `comanda orders` groups the changes of an order's status. */
import type { CommandGroup } from "../../toolkit/command.js";

import { statusCommands } from "./change-status.js";

export const orders: CommandGroup = {
  name: "orders",
  summary: "change the status of orders",
  members: Object.values(statusCommands),
};
