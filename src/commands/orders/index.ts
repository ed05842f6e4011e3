/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel`: sections 4.2 to 4.5. */
import type { CommandDescription, CommandGroup } from "../../toolkit/command.js";
import type { StatusChange } from "../../api/operations.js";

import { changeStatus } from "./change-status.js";

const examplesOf = (verb: string) => [
  `orders ${verb} 4711`,
  `orders ${verb} 4711 4712 4713`,
  `orders ${verb} - --json < ids.txt`,
];

const descriptions: Readonly<
  Record<StatusChange, Pick<CommandDescription, "summary" | "description" | "examples">>
> = {
  dispatch: {
    summary: "send orders on their way, or have them wait for pickup",
    description: "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
    examples: examplesOf("dispatch"),
  },
  deliver: {
    summary: "mark delivery orders as delivered",
    description: "Only delivery orders that are out for delivery can be delivered.",
    examples: examplesOf("deliver"),
  },
  finalize: {
    summary: "finalize orders",
    description: "A finalized order can't be changed any more.",
    examples: examplesOf("finalize"),
  },
  cancel: {
    summary: "cancel orders",
    description:
      "A canceled order can't be changed any more. At a terminal a cancel asks first; --yes skips the question, and canceling several takes it where nobody can be asked.",
    examples: [
      'orders cancel 4711 --reason "The kitchen is closed"',
      "orders cancel 4711 4712 --yes",
      "orders cancel - --yes --json < ids.txt",
    ],
  },
};

export const statusCommands = {
  dispatch: changeStatus("dispatch", descriptions.dispatch),
  deliver: changeStatus("deliver", descriptions.deliver),
  finalize: changeStatus("finalize", descriptions.finalize),
  cancel: changeStatus("cancel", descriptions.cancel),
} as const satisfies Readonly<Record<StatusChange, unknown>>;

export const orders: CommandGroup = {
  name: "orders",
  summary: "change the status of orders",
  members: Object.values(statusCommands),
};
