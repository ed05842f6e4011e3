-- All that comanda remembers, at a glance. On one machine sign-ins and settings are a person's files, and not here.
--
-- One text for SQLite (this machine) and PostgreSQL (a chain). Only these types: text; bigint for milliseconds since the
-- epoch ("…_at"), cents ("…_cents"), counts, and 0 or 1 ("is_…"); JSON is text.

-- === comanda.db: what was sent, and how much may be. Private. ===

-- What this database is written in. One row.
create table schema_version (
  version bigint not null                  -- a comanda that knows only older ones leaves the database alone
);

-- Work that one process does at a time.
create table leases (
  name text primary key,                   -- what is worked on: a sign-in, a list of orders, the settings, an equal question, a sync
  id text not null,                        -- by chance: each taking has its own
  host text not null,                      -- of the process that holds it
  pid bigint not null,                     -- its number
  started text,                            -- tells it from a later one with its number; null where the system doesn't say
  process_table text not null,             -- which start of the machine, and which of its tables of processes
  since_at bigint not null,                -- when it took the lease
  until_at bigint not null                 -- others may take it then; on the holder's own machine only if it has ended, too
);

-- Requests within a rate limit, each at the moment at which it goes out: a place may be taken ahead.
create table limit_places (
  id text primary key,                     -- of the request, by chance
  limit_key text not null,                 -- whose: a store, or a credential by its digest; the bucket; the address
  taken_at bigint not null,                -- when it got its place
  at bigint not null                       -- when it goes out; of an exchange that took long, when it was over
);
create index limit_places_by_key on limit_places (limit_key, at);

-- The service itself has said to wait (429).
create table limit_blocks (
  limit_key text primary key,              -- as in limit_places
  taken_at bigint not null,                -- when it said so
  until_at bigint not null                 -- nothing goes out before
);

-- One write: a row of `comanda history`. It is here before its first byte goes out.
create table writes (
  id text primary key,                     -- by chance for each client; then the number of its call
  sent_at bigint not null,                 -- when its last request was sent
  store text,                              -- the alias; follows a rename; null: its credential came from the environment
  environment text not null,               -- the environment's name; the host where there is none
  address text not null,                   -- the base URL: what was done elsewhere isn't done here
  sign_in text,                            -- when the sign-in took place, or a digest of the token or key; null: not known
  user_name text,                          -- the machine's user
  operation text not null,                 -- its id in the contract; request: a call that the contract doesn't know
  order_id text,                           -- null where the path names no order
  arguments text not null,                 -- JSON: the few that matter later (reason, driver, fee), and the fee that came back
  attempts bigint not null,                -- requests that were sent
  outcome text not null,                   -- done, refused, failed, unknown; unknown as long as no answer is here
  http_status bigint,                      -- of the last answer that says anything
  code text,                               -- comanda's own name; null: all went well, or no answer is here
  service_code bigint,                     -- the API's number; null: it gave none
  evidence text,                           -- whose word the outcome is: api, gateway, nobody; null: it never went out
  settled_as text,                         -- what a person has looked up of an unknown one: done, not-done
  settled_by text,                         -- the machine's user
  settled_at bigint,                       -- when
  settled_note text                        -- in the person's words
);
create index writes_by_time on writes (sent_at, id);
create index writes_by_order on writes (order_id, sent_at);
create index writes_by_store on writes (store, sent_at);
create index writes_not_done on writes (outcome, sent_at) where outcome <> 'done';

-- === sign-ins and settings, in PostgreSQL alone: on one machine they are files. Private. ===

-- A store's sign-in, or the settings that hold on all machines. Who writes names what it takes the place of, to the letter.
create table sealed (
  name text primary key,                   -- settings, or s- and the alias in lower case
  content text not null                    -- AES-256-GCM, bound to the name
);

-- === each schema in PostgreSQL ===

-- What transactions are about: one at a time about each. A role that can't write can't keep any of them waiting.
create table turns (
  name text primary key                    -- limits of a store, answers
);

-- === sales.db: what the service answered about sales. No secret: other programs may read it. ===

-- What this database is written in. One row.
create table sales_schema_version (
  version bigint not null                  -- a comanda that knows only older ones leaves the database alone
);

-- The newest answer to each question, so that nobody asks the same twice in a row.
create table answers (
  digest text primary key,                 -- of whose answer it is, and of the question
  store text not null,                     -- the alias
  environment text not null,               -- the environment's address
  sign_in text not null,                   -- tells one sign-in from every other, and nothing of its credentials
  dimension text not null,                 -- what the answer is grouped by; empty: it is a whole summary
  asked_at bigint not null,                -- before the question went out
  answer text not null                     -- JSON: the period and the filters that were requested, and what the service answered
);
create index answers_by_store on answers (store, dimension);

-- A day of a store that was over when `comanda sync` asked for it. What has changed stands beside it in a row of its own.
create table days (
  id bigint primary key,                   -- counts up in the order in which they were asked
  store text not null,                     -- the alias; follows a rename
  environment text not null,               -- the environment's address
  sign_in text not null,                   -- after another one the alias may stand for another store
  date text not null,                      -- 2026-11-22
  time_zone text not null,                 -- IANA name: in whose days it was counted
  currency text,                           -- ISO 4217, as it was set then; null: not set
  orders bigint not null,                  -- how many
  revenue_cents bigint not null,           -- in hundredths of the currency
  asked_at text not null                   -- when the service last said so, in UTC
);
create index days_by_store on days (store, environment, sign_in, date);

-- --- Views, for people and programs that read sales.db: comanda help sales-db. ---
-- DuckDB reads a view with functions of its own, so none has one that only SQLite knows.

-- The newest figures of each day, as the store's newest sign-in has them.
create view sales_by_day as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  date,                                    -- the day, 2026-11-22
  time_zone,                               -- IANA name: in whose days it was counted, from midnight on
  currency,                                -- ISO 4217; null where it was not set
  orders,                                  -- how many
  revenue_cents,                           -- in hundredths: what to add up
  round(revenue_cents / 100.0, 2) as revenue, -- the same with two decimals: what to look at
  asked_at                                 -- when the service last said so, in UTC
from days
where id in (select max(id) from days group by store, environment, sign_in, date)
  and sign_in = (select n.sign_in from days n where n.id = (
    select max(o.id) from days o where o.store = days.store and o.environment = days.environment));

-- What has changed in a day since it was first asked for.
create view restatements as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  date,                                    -- the day, 2026-11-22
  asked_before,                            -- when the service last said the figures of before
  orders_before,                           -- how many orders there were then
  round(revenue_cents_before / 100.0, 2) as revenue_before, -- with two decimals
  asked_at,                                -- when it last said these
  orders,                                  -- how many orders there are
  round(revenue_cents / 100.0, 2) as revenue -- with two decimals
from (
  select days.*, lag(asked_at) over earlier as asked_before, lag(orders) over earlier as orders_before,
    lag(revenue_cents) over earlier as revenue_cents_before
  from days
  window earlier as (partition by store, environment, sign_in, date, time_zone, currency order by id)
) as each_day
where asked_before is not null;
