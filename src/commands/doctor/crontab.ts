/** What a line of a crontab has to set, since cron gives a command none of these variables. */
import { t } from "../../languages/language.js";

import { ok, warning, type Finding } from "./finding.js";

/** comanda, its folders and the way to the service depend on these variables. */
const neededNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/;

/** Names alone are told: a value may be a secret. */
export function crontab(env: Readonly<Record<string, string | undefined>>): Finding {
  const names = Object.keys(env).filter((name) => neededNames.test(name) && env[name] !== "");
  const check = t`crontab`;
  if (names.length === 0) return ok(check, t`A line needs the full path of comanda, and no variable.`);
  return warning(
    check,
    t`Set here, and not known to cron: ${names.sort().join(", ")}.`,
    t`Set them in the crontab: comanda help cron`,
  );
}
