/** What a crontab has to set, since cron gives a command none of these variables. */
import { currentLanguage, t } from "../../languages/language.js";
import { shellWord } from "../../state/shell-word.js";
import type { Context } from "../../cli/context.js";
import { resolveTimeZone } from "../figures/preferences.js";

import { ok, warning, type Finding } from "./finding.js";

/** comanda, its folders and the way to the service depend on these variables. */
const neededNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy|TZ)$/;

/** A value of any other may be a secret, or an address with one in it. */
const shownNames =
  /^(COMANDA_(CONFIG_DIR|STORE|STATE_KEY_FILE|RATE_LIMITS|ALLOW_INSECURE)|XDG_\w+|NODE_EXTRA_CA_CERTS|PGUSER|PGPASSFILE|SSL_CERT_\w+|NO_PROXY|no_proxy)$/;

function neededIn(env: Context["env"]): readonly string[] {
  return Object.keys(env)
    .filter((name) => neededNames.test(name) && env[name] !== "")
    .sort();
}

export function crontab(env: Context["env"]): Finding {
  const names = neededIn(env);
  const check = t`crontab`;
  if (names.length === 0) return ok(check, t`A line needs the full path of comanda, and no variable.`);
  return warning(
    check,
    t`Set here, and not known to cron: ${names.join(", ")}.`,
    t`Set them in the crontab: comanda help cron`,
  );
}

/** Lines to copy, with what is set here. A variable that may hold a secret is named in a comment, without its value. */
export async function crontabLines({ env, self }: Pick<Context, "env" | "self">): Promise<readonly string[]> {
  const ours = { HOME: env["HOME"], TZ: await resolveTimeZone(), COMANDA_LANG: currentLanguage() };
  const others = neededIn(env).filter((name) => !(name in ours));
  const values = [
    ...Object.entries(ours),
    ...others.filter((name) => shownNames.test(name)).map((name) => [name, env[name]] as const),
  ];
  // In a command cron takes % for the end of a line.
  const program = self
    .map(shellWord)
    .join(" ")
    .replaceAll("%", String.raw`\%`);
  return [
    ...values.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${shellWord(value)}`)),
    ...others.filter((name) => !shownNames.test(name)).map((name) => `# ${name}=…`),
    `15 6 * * * ${program} sync --quiet --no-input`,
  ];
}
