/** What the orders of an emulator are like. */
export const scenes = ["mixed", "busy"] as const;

/**
 * `mixed`: three years of a few orders of every kind, with texts that break careless programs, and every open status in
 * the last hours. `busy`: a restaurant of some 120 orders a day (`busy.ts`), for sales figures.
 */
export type Scene = (typeof scenes)[number];
