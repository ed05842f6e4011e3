/** Drivers in words, and the choice between those that a name may mean. */
import { ComandaError } from "../base/errors.js";
import type { Connection } from "../core/connection.js";
import {
  driverName,
  findDriver,
  listedDrivers,
  type FindOptions,
  type NamedDriver,
} from "../core/drivers.js";
import { plural, shownDate, t } from "../languages/language.js";

export interface ChoiceOptions extends FindOptions {
  /** Asks the user; `undefined` if comanda can't prompt. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/**
 * Finds the driver whose id or name was typed, and asks if several drivers match.
 *
 * @returns `undefined` if the user chose none
 * @throws {ComandaError} `invalid_input` if the choice isn't clear and comanda can't ask; as {@link findDriver}
 */
export async function chooseDriver(
  connection: Connection,
  typed: string,
  { ask, ...options }: ChoiceOptions,
): Promise<NamedDriver | undefined> {
  const found = await findDriver(connection, typed, options);
  if ("driver" in found) return found.driver;
  const { candidates } = found;
  const described = candidates.map((each) => driverName(each, t`last seen ${shownDate(each.last_day)}`));
  const problem = (drivers: string) =>
    plural(candidates.length, {
      one: t`"${typed}" matches only a driver without recent orders: ${drivers}`,
      other: t`"${typed}" matches several drivers: ${drivers}`,
    });
  if (!ask)
    throw new ComandaError("invalid_input", `${problem(listedDrivers(described))}. ${t`Nothing was sent.`}`, {
      hintFacts: { about: "driver_ids" },
    });
  const choices = ["", ...described].join("\n  ");
  const question = `${problem(choices)}\n${t`Driver's id (press Enter to assign none):`}`;
  for (;;) {
    const answer = await ask(question);
    if (answer === "") return undefined;
    const chosen = candidates.find(({ id }) => String(id) === answer);
    if (chosen) return chosen;
  }
}
