/** Finds the variables that a scheduler's bare environment lacks, for `schedule` and for `doctor`. */
type Variables = Readonly<Record<string, string | undefined>>;

/** comanda, its folders and the way to the service depend on these variables. */
const scheduledNames =
  /^(COMANDA_\w+|XDG_(CONFIG|DATA|STATE)_HOME|NODE_EXTRA_CA_CERTS|PG(?:USER|PASSWORD|PASSFILE)|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/;
const secret = /^(COMANDA_(ACCESS_TOKEN|API_KEY|PARTNER_KEY|STATE_KEY)|PGPASSWORD)$/;

export interface ScheduledVariable {
  readonly name: string;
  readonly value: string;
  /** A secret is never printed. */
  readonly isSecret: boolean;
}

export function scheduledVariables(env: Variables): readonly ScheduledVariable[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || !scheduledNames.test(name)) return [];
    // The address of a proxy or a database may hold a password.
    const isAddress = /proxy$/i.test(name) || name === "COMANDA_STATE";
    const isSecret = secret.test(name) || (isAddress && /@|password/.test(value));
    return [{ name, value, isSecret }];
  });
}

/** cron gives a command this environment. */
export function cronEnvironment(env: Variables): Record<string, string> {
  const variables = ["HOME", "LOGNAME", "USER"].flatMap((name) =>
    env[name] ? [[name, env[name]] as const] : [],
  );
  return { ...Object.fromEntries(variables), SHELL: "/bin/sh", PATH: "/usr/bin:/bin" };
}
