/**
 * Remembers which environments refuse half a year. How the service counts 6 months is not shown (section 8): one that counts 180
 * days refuses 181, which costs a call. It is remembered for some months, since a service may change.
 */
import type { StateFolder } from "./state-folder.js";

const rememberedMs = 90 * 24 * 60 * 60_000;

/**
 * @param environment its address
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function refusesHalfYears(data: StateFolder, environment: string): Promise<boolean> {
  const database = await data.existingDatabase("sales");
  const sql = "select refused_at from half_years where environment = $1";
  const [row] = (await database?.rows({ refused_at: "bigint" }, sql, environment)) ?? [];
  return row !== undefined && data.clock.now() - row.refused_at < rememberedMs;
}

/** @throws {ComandaError} `state_unusable`, `lock_timeout`; the next run finds out anew */
export async function rememberRefusedHalfYear(data: StateFolder, environment: string): Promise<void> {
  const database = await data.database("sales");
  await database.run(
    `insert into half_years (environment, refused_at) values ($1, $2)
     on conflict (environment) do update set refused_at = excluded.refused_at`,
    ...[environment, Math.round(data.clock.now())],
  );
}
