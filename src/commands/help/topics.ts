/** The topics of `comanda help`: what is true of many commands, told once. */
interface HelpTopic {
  readonly name: string;
  /** Its first line is its title. */
  readonly text: string;
}

export const helpTopics: readonly HelpTopic[] = [
  {
    name: "periods",
    text: `Periods

  --period today, yesterday, this-week, last-week, this-month, last-month,
           month-to-yesterday, this-year, last-year, last-7-days,
           2026-10 (a month), 2025 (a year), 2026-10-05
           friday, october, 05/10: the latest that has begun; of 05/10 the
           day comes first
  --from, --to     two dates, both included, or two date-times with offset; a
                   name stands for its first or its last day
  --compare        previous: the period before, N days with the N days before
                   week: seven days earlier
                   month: the same dates a month earlier
                   year: months a year earlier; anything else 364 days
                   earlier, so that the weekdays are the same

Days are whole days of the store's time zone: --tz, the store's setting
(comanda stores set <alias> --tz <zone>), else this machine's, with a warning.
A week begins on Monday. A whole month meets the whole month before, a running
one the same part of it. The window that was asked for is shown.
Where a store sells beyond midnight, comanda stores set <alias> --day-starts
04:00 lets its nights belong to the day before.
More than 3 years back the service has nothing.
`,
  },
  {
    name: "filters",
    text: `Filters

  --filter 'status=closed,delivered'     one of these
  --filter 'status!=canceled'            none of these; --net is short for it
  --filter 'total>=50'                   also > < <=
  --filter 'created_at_time<15:00'       a time of the day
  --filter 'customer_origin=null'        where there is none
  --filter 'status_in=closed'            the API's own spelling

Several filters all have to hold. Put each in quotes: the shell has a meaning
for < > and !. A slip in a field's name, or in a value that is one of a few, is
refused with the nearest; other values go to the service as they are. Of a
sales_channel that the API doesn't list a warning names the nearest: it would
select no order.

Fields (section 4.8 of the API's specification):

  order_type, order_timing, status   a few values; = and !=
  sales_channel                      a name; = and !=
  payment_method_id                  an id as the service gives it; = and !=
  driver_id                          an id of at least 1; = and !=
  customer_origin                    at most 255 characters, or null; = and !=
  created_at_time                    a time of the day, HH:MM; = > >= < <=
  total, delivery_fee                in the store's currency, at least 0, at
                                     most two decimals; = != > >= < <=
`,
  },
  {
    name: "figures",
    text: `Figures: how old they are, and what they count

A figure is the service's answer to that very question, or the exact sum of its
answers to windows that follow on one another: a period of more than 6 months is
asked for in parts, 5 a minute. Each figure says when it was asked: over a table,
and as "asked_at" and "kept" in JSON.

An answer is kept for ten minutes, that about a period which still runs for one,
so that nobody asks the same twice in a row. Orders settle late: a cancellation
is taken back, a driver changes; comanda sync tells which days have changed.

  --fresh       asks the service in any case
  --offline     asks nothing, and shows what is kept, however old
  --dry-run     the calls that would go out, and how long they take
  --net         without canceled orders, which the service counts

What --offline lacks it names, and ends with exit code 5. Keys and labels are
the service's, to the letter. Weekdays and hours are compared per day, since a
month has four Tuesdays or five. Stores of different currencies are not added
up; neither are drivers, since the same id is another person at another store.
`,
  },
  {
    name: "output",
    text: `Output

  stdout has data alone; notices, progress and errors go to stderr.
  --json                    one JSON value; orders: a line each, as they finish
  --format table|json|csv|markdown
  --quiet                   data and errors alone: no sentences
  --no-color                colours are for a terminal alone; NO_COLOR is heard

JSON, CSV, codes and flags are the same in every language. A table fits the
terminal. In CSV a text that a spreadsheet would take for a formula begins with
an apostrophe; JSON has it to the letter.
`,
  },
  {
    name: "sign-in",
    text: `Sign-in

  comanda env set production --base-url … --auth-url … --client-id …
  comanda login --store centro --env production

The browser asks the store's owner; comanda keeps the tokens in a file that you
alone can read, and renews them. Without a browser here, --no-browser prints the
address and takes the one that the browser ended at. login --api-key stores the
store's API key, for status changes and pre-filled orders.

  comanda status            is the store signed in? exit code 3 where it isn't
  comanda logout            revokes the tokens, then forgets them and the keys
  comanda stores remove …   forgets the store: settings and figures too
`,
  },
  {
    name: "cron",
    text: `cron

  COMANDA_STORE=centro
  15 6 * * * /usr/local/bin/comanda sync --quiet --no-input
  30 6 * * 1 /usr/local/bin/comanda report --period last-week --out week.html

cron has another PATH and none of your variables: a line has the full path of
comanda, and the crontab the variables. comanda doctor names those that are set
where you are. cron mails whatever a command prints: --quiet leaves errors and
warnings, > keeps the result in a file.
Any number of jobs may start at once: tokens are renewed under a lock, and the
rate limits are counted together. --max-wait says how long a job may wait.
Exit codes tell what happened: comanda help exit-codes
`,
  },
  {
    name: "schedulers",
    text: `Schedulers beside cron

As in a crontab, each needs the full path of comanda, the command with --quiet
and --no-input, and the variables that it reads. Keep secrets out of files that
others can read.

systemd: ~/.config/systemd/user/comanda-sales.service, and comanda-sales.timer
beside it; then: systemctl --user enable --now comanda-sales.timer

  [Service]
  Type=oneshot
  Environment="COMANDA_STORE=centro"
  ExecStart=/usr/local/bin/comanda sync --quiet --no-input

  [Timer]
  OnCalendar=*-*-* 06:15:00
  RandomizedDelaySec=300
  Persistent=true

  [Install]
  WantedBy=timers.target

A % is doubled there, and so is a $ in ExecStart.

Windows: setx sets a variable for the tasks of the user, and

  schtasks /create /tn comanda-sales /sc daily /st 06:15 ^
    /tr "cmd /c comanda sync --quiet --no-input"

makes one that runs each day.

Kubernetes: no image is published (examples/Containerfile makes one), and a
container is signed in at no store, so that its credentials are a secret:
kubectl create secret generic comanda --from-literal=COMANDA_BASE_URL=… \\
  --from-literal=COMANDA_ACCESS_TOKEN=…

  apiVersion: batch/v1
  kind: CronJob
  metadata:
    name: comanda-sales
  spec:
    schedule: "15 6 * * *"
    timeZone: America/Sao_Paulo
    concurrencyPolicy: Forbid
    jobTemplate:
      spec:
        backoffLimit: 0    # what was sent may have been done
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: comanda
                image: registry.example/comanda
                args: [summary, --json, --quiet, --no-input]
                envFrom:
                  - secretRef:
                      name: comanda
                securityContext:
                  readOnlyRootFilesystem: true
                  runAsNonRoot: true
                  allowPrivilegeEscalation: false
`,
  },
  {
    name: "chain",
    text: `For a chain

Machines that work at the same stores share their state in PostgreSQL 14 or
newer: sign-ins, settings of stores, limits and figures. Its driver is
installed beside comanda: npm install --global comanda pg

  COMANDA_STATE       postgres://user:password@host:port/database, on each
                      machine; the password may come by PGPASSWORD or
                      ~/.pgpass. Nothing: files of this machine
  COMANDA_STATE_KEY   encrypts tokens and keys before they are stored: 32 bytes
                      in base64, the same on all machines. Or
                      COMANDA_STATE_KEY_FILE, a file that is yours alone

openssl rand -base64 32 makes a key. Another one comes into use where it stands
first, and the old one behind it. comanda doctor makes the tables where the role
may. Sign-ins are made anew: comanda login.

The connection is TLS, and the server's certificate is verified, unless the
address is of the machine itself. NODE_EXTRA_CA_CERTS names an authority of your
own. A pooler in between has to keep sessions.

Three roles (examples/postgres-roles.sql has their grants):
  comanda_migrate   owns the tables, and makes and changes them
  comanda_run       runs comanda: reads and writes rows
  comanda_read      reads the schema comanda_sales; sign-ins it can't see

A sign-in is renewed by one machine at a time. Where one is cut off while its
request is out, the others wait for up to 90 seconds, since its answer may still
come. Only where it is killed between the service's answer and the write is the
sign-in lost: the next command says so.
`,
  },
  {
    name: "journal",
    text: `The journal: what this machine sent

No call of the service shows an order again, so comanda writes down what changes
one before it goes out, and what came of it after. The journal has no customer
and no credential: of a pre-filled order the type and the number of items.

  comanda history                        the last 50 changes
  comanda history --order 4712           who changed it, when, with what end
  comanda history --outcome unknown      what somebody has to look up
  comanda history settle 4712 done       what you saw in the store's portal
  comanda history drivers                fees of drivers assigned from here

A row that was settled is no longer listed as unknown, and --resume sends it
only where it was not done.

A list of orders that was cut short, by a kill, a power failure or a full disk,
goes on with the same command and --resume: what was done in the last 24 hours
is skipped, what is unknown is listed and not sent, and the rest is sent. Look
those up that are unknown, and say with history settle what you saw. What was
done at another address, or before the last sign-in, isn't counted: it may have
been another store. Where machines share their state, what one has done another
skips. One process at a time sends a list; another one ends with 8.

Where the journal can't be written nothing is sent, and the exit code is 2.
Nothing is forgotten of itself.
`,
  },
  {
    name: "testing",
    text: `The emulator: the whole service on this machine

  comanda emulator start                    with pages to consent and to order at
  comanda emulator start --scene busy       fourteen months of a busy restaurant
  comanda emulator start --fault status=503,path=/dispatch,times=2
  comanda emulator exec -- ./close-day.sh   for one command, then it is gone
  comanda emulator exec --matrix -- ./close-day.sh

The same --seed makes the same orders. emulator exec signs a store in, puts
comanda on the path, and ends with the command's own exit code.

The specification leaves much open, such as the HTTP status of a change that was
done. Each such thing is a reading: comanda emulator readings lists them with
their values, --reading conflict_status=422 chooses one. What passes with the
emulator as it is may fail at the real service: --matrix runs the command under
every reading, and tells which of them break it.

What its world doesn't know, such as a misspelled field or a driver that there
isn't, it refuses with the nearest name, where the service might take it.
--stores FILE gives it stores of your own (50 at most). --host 0.0.0.0 lets
other machines in; to drive it they need the token that it tells on stderr.
From there comanda goes to it by env set --allow-insecure, or with
COMANDA_ALLOW_INSECURE=1 beside COMANDA_BASE_URL; a program with allowInsecure:
true.

Under /_emulator it can be looked into and driven, in JSON: it lists its calls
there. stores has each store's API key, orders (page by page, next leads on)
what to dispatch; sign-in gives tokens, authorize is the owner's part of your
app's sign-in. What a fault answered says so in the header x-emulator-fault.
Should the emulator itself fail, with a 500, the cause is in log and on stderr.
In any language a client generated from comanda openapi works against it:
examples/generated has a suite in TypeScript and one in Python.

In tests of your own it runs in the same process: comanda help library
`,
  },
  {
    name: "library",
    text: `The library: comanda in your own programs

  import { createClient, ComandaError } from "comanda";
  import { fileSession, createTransport } from "comanda/node";
  import { createOAuth } from "comanda/oauth";
  import { startEmulator } from "comanda/testing";

comanda runs wherever there is a fetch: Node, browsers, workers. It reads no
file and keeps nothing global. Each operation has a method, and
client.request({ method, path }) makes any other call. Inputs have the names of
the API, options are in camel case. A name that nobody knows is refused before
anything is sent; what the specification doesn't name goes into extra.

Every method throws ComandaErrors and nothing else. Switch on their stable code:
outcome_unknown says that the request went out, and nothing tells whether it was
done. The cause is what a function of yours threw, or your signal's reason.

  credentials    functions: bearer, renew (after a 401, once for all calls),
                 apiKey, partnerKey
  signal         every call takes an AbortSignal
  rateLimiter    false for none; maxRetries, maxWaitMs, timeoutMs
  observer       told of each call before its first byte: it may refuse it
  onWarning      told of a filter's value that would select no order
  transport      fetchTransport(fetch) of yours; createTransport of comanda/node
                 for many calls at once and for proxies. Close it in the end.

client.withResponse().summary(query) gives { data, status, headers, attempts }.
salesFigures(client, query) gives the figures of a span of any length, with
group_by too: more than 6 months are asked for in parts and added up in exact
cents.

fileSession() gives the stores that comanda login signed in: tokens are renewed
under the same lock, requests counted together, and comanda history shows what
was sent.

A server that acts for many stores has createOAuth: authorizationUrl, callback,
credentials, revoke. Tokens lie in any TokenStore of load, save and lock, such
as a table of yours (examples/sql-token-store.mjs). Of all processes and servers
on it one refreshes: a second use of a refresh token counts as a theft, and
loses the store. Wait for idle() before you end the process.

comanda/testing is the emulator in your tests' own process: createOrder,
drivers, clock.advance, setFaults, route(method, path, handler), reset;
authorize(url) is the owner's part of a sign-in. received({ path: "/dispatch" })
has what was sent, and assertNoUnexpected() throws where the API has no such
call. Its client() waits for nothing: it sets the emulator's clock on instead.
`,
  },
  {
    name: "exit-codes",
    text: `Exit codes

    0  done; also where a question was answered with no, and so nothing was done
    1  a fault of comanda's own; of doctor: something has to be mended
    2  wrong usage or input (also API code 4000); an output that can't be
       written, as on a full disk
    3  not signed in, or the token was refused (401, 4010)
    4  not allowed (403: missing scope; access_denied)
    5  not found (404, 4041)
    6  the order's status can't be changed (4002)
    7  rate limited, or the wait would pass --max-wait
    8  service unreachable or failing: network, TLS, timeout, 5xx, an answer
       that isn't the API's; or a lock that stays busy
    9  outcome unknown: the request went out, and no answer of the API's tells
       what became of it
   10  several orders: some did not succeed; each one's outcome is in the output
   11  an --alert holds
  130  interrupted
  141  the reader of the output has gone (| head) before all was done
  143  terminated
`,
  },
  {
    name: "environment",
    text: `Environment variables

  COMANDA_STORE         the store to work at, where --store isn't given
  COMANDA_CONFIG_DIR    where settings, sign-ins and figures lie, in place of
                        the system's folder
  COMANDA_RATE_LIMITS   "off" leaves the rate limits to the service: comanda
                        neither counts nor waits ahead
  COMANDA_STATE         a chain's database, postgres://user@host/database, in
                        place of files here: comanda help chain
  COMANDA_STATE_KEY     encrypts what is secret in it; COMANDA_STATE_KEY_FILE: a
                        file with the key

  For machines without state (containers, CI):
  COMANDA_BASE_URL      the API's address, together with one of the next two;
                        --store goes before it
  COMANDA_ALLOW_INSECURE
                        "1": that address may be another machine's by http, as
                        of an emulator in a container; for tests alone
  COMANDA_ACCESS_TOKEN  an access token
  COMANDA_API_KEY       the store's API key

  COMANDA_LANG          en or pt-BR: the language of messages, tables and the
                        helps of commands; the locale comes after it
  NO_COLOR              no colours; FORCE_COLOR and CLICOLOR_FORCE: colours also
                        where the output is no terminal
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                        the proxy to go through, such as proxy.example:8080 or
                        http://user:password@proxy.example:8080; loopback
                        addresses (127.0.0.0/8, ::1, localhost) never do
`,
  },
  {
    name: "json",
    text: `JSON

Amounts are numbers with two decimals. A field may be added, none goes.

  orders dispatch|deliver|finalize|cancel   a line for each order
    {"order_id", "action", "outcome", "http_status", "code", "message",
     "details", "attempts", "evidence", "service_code"}; with --resume also
    "resumed": true on what an earlier command did or left unknown
  driver assign   the order as the service sent it, unknown fields kept
  summary         {"total_order_count", "total_revenue", "average_order_value"}
  grouped         {"group_by", "groups": [{"key", "label", ...}]}; a weekday or
                  hour has "days", how many the period has of it
    beside both   "period": {"from", "to", "time_zone", "day_starts"},
                  "currency" (null where none is set), "asked_at", "kept"
    --compare     {"current", "previous", "change"}; a change is {"absolute",
                  "percent"}, and percent is null where nothing was before; of
                  groups it is null where a side is missing; days, weeks and
                  months have "previous_key"; weekdays and hours "per_day"
    --alert       "alerts": [{"rule", "holds", "value", "baseline"}]
  several stores  {"stores": [{"store", ...}], "total"}: null where currencies
                  differ. A store that failed has "error" in place of figures
  --dry-run       of all of these: {"calls", "seconds", "requests": [{"store",
                  "endpoint", "group_by", "from", "to", "date_field", "filters",
                  "kept"}]}
  sync            {"stores": [{"store", "days", "changed": [{"date", "before",
                  "now"}]}]}: total_order_count and total_revenue each
  driver list     [{"id", "name"}]
  prefill         {"id", "order_url", "checkout_url"}; of many a line each:
                  {"line", "outcome", "id", "order_url", "checkout_url",
                  "http_status", "code", "message", "details", "attempts",
                  "evidence", "service_code"}
  status, login   {"store", "environment", "state", "scopes", "expires_at",
                  "has_api_key", "has_partner_key", "has_refresh_token",
                  "can_change_orders"}; state is valid, expired, refused,
                  unreachable or signed_out; status has "time_zone" too;
                  status --check and login --api-key have "checked":
                  [{"credential", "call", "result", "evidence", "message"}];
                  result is accepted, not_allowed, refused or not_checked
  history         a line for each change: {"at", "store", "environment",
                  "operation", "order_id", "arguments", "outcome",
                  "http_status", "code", "attempts", "evidence", "actor",
                  "service_code"}, and where a person has looked an unknown one
                  up "settled": {"outcome", "by", "at", "note"}; history
                  settle too
  history drivers [{"driver_id", "name", "orders", "known_fees", "total_fee",
                  "without_fee", "canceled_orders", "canceled_fee"}]; of several
                  stores {"stores": [{"store", "drivers"}]}
  errors          on stderr: {"error": {"exit_code", "code", "service_code",
                  "http_status", "message", "details", "hint", "evidence"}}

"evidence" is whose word it is: "api", the service's own; "gateway", an answer
that nothing shows to be the service's; "nobody", no answer came; null where
nothing was sent.

"expired" speaks of the access token: with a refresh token the exit code is
still 0, since the next command renews it. "service_code" is the API's number
where the service gave one, else null. An error's "code" is a stable name of
comanda's own; in the lines of orders, prefill and history it is the number
where there is one. "asked_at" is when the oldest of the answers was asked for,
"kept" whether one of them had been kept on this machine.
`,
  },
  {
    name: "sales-db",
    text: `Sales in SQL

comanda sync keeps the days of its stores as rows of sales.db (comanda help files
says where it lies), a database of SQLite's that any program may read; with
COMANDA_STATE, of the schema comanda_sales. Amounts are in the store's currency:
add up the cents.

sales_by_day: the newest figures of each day, from midnight on.
  store                the store's alias
  environment          the environment's address
  date                 2026-11-22
  time_zone            in whose days it was counted, as America/Sao_Paulo
  currency             as BRL; null where it was not set
  orders               how many
  revenue_cents        in hundredths: what to add up
  revenue              with two decimals: what to look at
  asked_at             when the service last said so, in UTC

restatements: what has changed in a day since it was first asked for.
  store, environment, date
  asked_before, orders_before, revenue_before
  asked_at, orders, revenue

  duckdb -c "attach 'sales.db' (type sqlite); from sales.sales_by_day"
  sqlite3 sales.db 'select * from restatements'

The folder and the file are yours alone. Whom you let into the folder may read
the file after chmod 644 sales.db, and it stays so. Who can't write there opens
it as file:sales.db?immutable=1.
`,
  },
  {
    name: "files",
    text: `Files

  ~/.config/comanda (Linux), ~/Library/Preferences/comanda (macOS),
  %APPDATA%\\comanda\\Config (Windows), or COMANDA_CONFIG_DIR:
    settings.json  zones, currencies, environments
    sessions/      a file for each store: tokens and keys are here alone
    comanda.db     what was sent, and how much may be: an SQLite database
    sales.db       what the service answered about sales, each answer with its
                   moment: comanda help sales-db

sales.db holds no token and no key, nor anything made of one.

All are yours alone. The folders have to be real and your own, as ssh has it for
its keys: no links, and nothing that others can write to; a folder above may be
root's. Otherwise the exit code is 2, with what to type.

Beside the program itself, in dist/cli/compile-cache, lies what Node has
compiled of it, so that commands start sooner. It may be deleted at any time.
`,
  },
];
