/** What a scheduler's bare environment lacks of the one that is here: for what `schedule` prints, and for the doctor. */
type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of comanda, of the folders it looks into, and of the way to the service. */
const carried =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/;
const secret = /^(COMANDA_(ACCESS_TOKEN|API_KEY|PARTNER_KEY|STATE_KEY)|PGPASSWORD)$/;

export interface ScheduledVariable {
  readonly name: string;
  readonly value: string;
  /** Never printed. */
  readonly isSecret: boolean;
}

/** Those that a command finds here and would not find under a scheduler. */
export function scheduledVariables(env: Variables): readonly ScheduledVariable[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || !carried.test(name)) return [];
    // The address of a proxy or a database may hold a password.
    const isAddress = /proxy$/i.test(name) || name === "COMANDA_STATE";
    const isSecret = secret.test(name) || (isAddress && /@|password/.test(value));
    return [{ name, value, isSecret }];
  });
}

/** The environment that cron gives a command. */
export function cronEnvironment(env: Variables): Record<string, string> {
  const kept = ["HOME", "LOGNAME", "USER"].flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return { ...Object.fromEntries(kept), SHELL: "/bin/sh", PATH: "/usr/bin:/bin" };
}
