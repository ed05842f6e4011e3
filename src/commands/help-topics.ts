/** The topics of `comanda help`: what is true of many commands, told once. */

export const moreTopics: readonly (readonly [name: string, text: string])[] = [
  [
    "periods",
    `Periods

  --period today, yesterday, this-week, last-week, this-month, last-month,
           this-year, last-year, last-7-days, 2026-10 (a month), 2026-10-05
  --from, --to     two dates, both included, or two date-times with offset
  --day-starts     04:00: sales after midnight belong to the night before
  --compare        previous (the period before), week, year, date, none

Days are whole days of the store's time zone: --tz, the store's setting
(comanda stores set <alias> --tz <zone>), else this machine's, with a warning.
A week begins on Monday. A whole month meets the whole month before, a running
one the same part of it. The window that was asked for is shown.
More than 3 years back the service has nothing.
`,
  ],
  [
    "filters",
    `Filters

  --filter 'status=closed,delivered'     one of these
  --filter 'status!=canceled'            none of these; --net is short for it
  --filter 'total>=50'                   also > < <=
  --filter 'created_at_time<15:00'       a time of the day
  --filter 'customer_origin=null'        where there is none
  --filter 'status_in=closed'            the API's own spelling

Several filters all have to hold. Put each in quotes: the shell has a meaning
for < > and !. A slip in a field's name, or in a value that is one of a few, is
refused with the nearest; other values go to the service as they are.
`,
  ],
  [
    "output",
    `Output

  stdout has data alone; notices, progress and errors go to stderr.
  --json                    one JSON value; orders: a line each, as they finish
  --format ndjson|csv|tsv|markdown
  --fields order_id,outcome these members or columns, in this order
  --jq '.groups[0].label'   what an expression of the jq language gives
  --output FILE             a file in place of stdout: whole, or not at all
  --quiet                   data and errors alone: no sentences
  --plain                   for a screen reader: nothing that moves, no bars
  --color always|never      else at a terminal alone; NO_COLOR is heard

JSON, CSV, codes and flags are the same in every language. A table fits the
terminal; a long one is shown by PAGER (--no-pager).
`,
  ],
  [
    "sign-in",
    `Sign-in

  comanda env set production --base-url … --auth-url … --client-id …
  comanda login --store centro --env production

The browser asks the store's owner; comanda keeps the tokens in a file that you
alone can read, and renews them. Without a browser here, --no-browser prints the
address and takes the one that the browser ended at. login --api-key stores the
store's API key, for status changes and pre-filled orders.

  comanda status            is the store signed in? exit code 3 where it isn't
  comanda logout            revokes the tokens, then forgets them
  comanda revoke centro     revokes them where the disk can't be written
`,
  ],
  [
    "cron",
    `cron

  comanda schedule print --daily 06:15 -- summary --period yesterday --json
  comanda doctor --as-cron  what a command would find under cron

cron has another PATH and none of your variables: schedule print writes the full
path and the variables into the line. It mails whatever a command prints:
--quiet leaves errors and warnings, --output keeps the result in a file.
Any number of jobs may start at once: tokens are renewed under a lock, and the
rate limits are counted together. --max-wait says how long a job may wait.
Exit codes tell what happened: comanda help exit-codes
`,
  ],
];
