-- Everything that comanda stores in databases: SQLite on one machine, PostgreSQL in a chain. Only two types are used: text, also
-- for JSON; and bigint for milliseconds since the epoch ("…_at"), cents ("…_cents"), counts, and 0 or 1.

-- === comanda.db: the journal, leases and rate limits. Private. ===

-- One row: the version of this schema.
create table schema_version (
  version bigint not null                  -- an older comanda rejects a higher version
);

-- One row for each piece of work that only one process may do at a time.
create table leases (
  name text primary key,                   -- the work: a sign-in, a list of orders, the settings, a sales query, a sync
  id text not null,                        -- random, different each time the lease is taken
  host text not null,                      -- the holder's host name
  pid bigint not null,                     -- the holder's process id
  started text,                            -- its start time, because process ids are reused; null if the system doesn't report it
  process_table text not null,             -- the boot id and pid namespace
  since_at bigint not null,                -- when the lease was taken
  until_at bigint not null                 -- when it expires; on the holder's machine, a living process keeps it longer
);

-- Slots of the rate limits: one for each request, with the time at which it may be sent, also in the future.
create table limit_places (
  id text primary key,                     -- random, one for each request
  limit_key text not null,                 -- the store or a digest of the credential, the address, and the bucket
  taken_at bigint not null,                -- when the slot was reserved
  at bigint not null                       -- when the request is sent; after a slow response, when that arrived
);
create index limit_places_by_key on limit_places (limit_key, at);

-- Waits that the service has requested with a 429.
create table limit_blocks (
  limit_key text primary key,              -- as in limit_places; with " slowed" after a second 429 within the window
  taken_at bigint not null,                -- when the response arrived
  until_at bigint not null                 -- no request is sent before this time; with " slowed": requests are apart until then
);

-- The journal: one row for each write, inserted before its first byte is sent.
create table writes (
  id text primary key,                     -- random for each client, then the number of the call
  sent_at bigint not null,                 -- when its last request was sent
  store text,                              -- the alias, changed by a rename; null if the credential came from a variable
  environment text not null,               -- the environment's name, or else the host
  address text not null,                   -- the base URL: --resume compares it
  sign_in text,                            -- the time of the sign-in, or a digest of the token or key; null if unknown
  user_name text,                          -- the machine's user
  operation text not null,                 -- the operation's id in src/api, or "request" for any other call
  order_id text,                           -- null if the path contains no order
  arguments text not null,                 -- JSON: reason, driver, fee, and the fee and time in the response; no personal data
  attempts bigint not null,                -- number of requests sent
  outcome text not null,                   -- done, refused, failed, or unknown, also until a response is recorded
  http_status bigint,                      -- of the last response that decided the outcome
  code text,                               -- comanda's error code; null without an error or without a response
  service_code bigint,                     -- the API's error code; null if there was none
  evidence text,                           -- the source of the outcome: api, gateway, nobody; null if never sent
  settled_as text,                         -- the outcome that a person recorded for an unknown one: done, not-done
  settled_by text,                         -- the machine's user
  settled_at bigint,                       -- when it was recorded
  settled_note text                        -- the person's note
);
create index writes_by_time on writes (sent_at, id);
create index writes_by_order on writes (order_id, sent_at);
create index writes_by_store on writes (store, sent_at);
create index writes_not_done on writes (outcome, sent_at) where outcome <> 'done';

-- === Sign-ins and settings, only in PostgreSQL: on one machine they are files. Private. ===

-- A store's sign-in, or the settings shared by all machines. A write replaces only the exact content that was read.
create table sealed (
  name text primary key,                   -- "settings", or "s-" and the alias in lower case
  content text not null                    -- AES-256-GCM, bound to the name
);

-- === Both schemas in PostgreSQL ===

-- The subjects of transactions, locked one at a time. A role without write access can't block them.
create table turns (
  name text primary key                    -- such as "answers", or "limits" with a limit_key
);

-- === sales.db: sales figures. Contains no secrets; other programs may read it. ===

-- One row: the version of this schema.
create table sales_schema_version (
  version bigint not null                  -- an older comanda rejects a higher version
);

-- The newest answer to each query, cached for a few minutes.
create table answers (
  digest text primary key,                 -- of the store, address, sign-in and query
  store text not null,                     -- the alias
  environment text not null,               -- the environment's address
  sign_in text not null,                   -- identifies the sign-in without revealing its credentials
  dimension text not null,                 -- the dimension of the groups; empty for a summary
  asked_at bigint not null,                -- when it was requested
  answer text not null                     -- JSON: the end of the requested period, and the response
);
create index answers_by_store on answers (store, dimension);

-- Days that were over when `comanda sync` requested them. Changed figures are added as another row.
create table days (
  id bigint primary key,                   -- increases in the order of the requests
  store text not null,                     -- the alias, changed by a rename
  environment text not null,               -- the environment's address
  sign_in text not null,                   -- after a new sign-in, the alias may belong to a different store; sync changes it in
                                           -- rows of an earlier sign-in with the same figures
  date text not null,                      -- 2026-11-22
  time_zone text not null,                 -- the IANA time zone of the day
  currency text,                           -- ISO 4217, from the store's settings at that time; null if not set
  orders bigint not null,                  -- number of orders
  revenue_cents bigint not null,           -- in hundredths of the currency
  asked_at text not null                   -- when the service last returned these figures, in UTC
);
create index days_by_store on days (store, environment, sign_in, date);

-- --- Views for people and programs that read sales.db: see comanda help sales-db. ---
-- They use only functions that DuckDB has too.

-- The newest figures of each day from the store's newest sign-in.
create view sales_by_day as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  date,                                    -- the day, 2026-11-22
  time_zone,                               -- the IANA time zone of the day, which starts at midnight
  currency,                                -- ISO 4217; null if it was not set
  orders,                                  -- number of orders
  revenue_cents,                           -- in hundredths, for exact sums
  round(revenue_cents / 100.0, 2) as revenue, -- the same amount with two decimals
  asked_at                                 -- when the service last returned these figures, in UTC
from days
where id in (select max(id) from days group by store, environment, sign_in, date)
  and sign_in = (select n.sign_in from days n where n.id = (
    select max(o.id) from days o where o.store = days.store and o.environment = days.environment));

-- Days of the store's newest sign-in whose figures have changed, with the figures before and after each change.
create view restatements as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  date,                                    -- the day, 2026-11-22
  asked_before,                            -- when the service last returned the previous figures
  orders_before,                           -- the previous number of orders
  round(revenue_cents_before / 100.0, 2) as revenue_before, -- the previous amount, with two decimals
  asked_at,                                -- when the service last returned the new figures
  orders,                                  -- the new number of orders
  round(revenue_cents / 100.0, 2) as revenue -- the new amount, with two decimals
from (
  select days.*, lag(asked_at) over earlier as asked_before, lag(orders) over earlier as orders_before,
    lag(revenue_cents) over earlier as revenue_cents_before
  from days
  window earlier as (partition by store, environment, sign_in, date, time_zone, currency order by id)
) as each_day
where asked_before is not null
  and (orders <> orders_before or revenue_cents <> revenue_cents_before)
  and sign_in = (select n.sign_in from days n where n.id = (
    select max(o.id) from days o where o.store = each_day.store and o.environment = each_day.environment));
