-- All that comanda remembers, at a glance. On one machine sign-ins and settings are a person's files, and not here.
--
-- One text for SQLite (this machine) and PostgreSQL (a chain). Only these types: text; bigint for milliseconds since the
-- epoch ("…_at"), cents ("…_cents"), counts, and 0 or 1 ("is_…"); JSON is text. Each table ends with a line that is ");",
-- which SQLite reads as strict. This is version 1; what changes later is a numbered step in schema.ts.

-- === comanda.db: what was sent, and how much may be. Private. ===

-- What this database is written in. One row.
create table schema_version (
  version bigint not null                  -- a comanda that knows only older ones leaves the database alone
);

-- Work that one process does at a time.
create table leases (
  name text primary key,                   -- what is worked on: a sign-in, a list of orders, the settings
  id text not null,                        -- by chance: each taking has its own
  holder text not null,                    -- JSON: the process, so that others see whether it still runs
  until_at bigint not null                 -- others may take it then; on the holder's own machine only if it has ended, too
);

-- Requests within a rate limit, each at the moment at which it goes out: a place may be taken ahead.
create table limit_places (
  id text primary key,                     -- of the request, by chance
  limit_key text not null,                 -- whose: a store, or a credential by its digest; the bucket; the address
  at bigint not null                       -- when it goes out; of an exchange that took long, when it was over
);
create index limit_places_by_key on limit_places (limit_key, at);

-- The service itself has said to wait (429).
create table limit_blocks (
  limit_key text primary key,              -- as in limit_places
  until_at bigint not null                 -- nothing goes out before
);

-- A run: one command that changes many orders, and can be gone on with. What is sent by itself has none.
create table runs (
  id text primary key,                     -- 20261122-abcdef
  began_at bigint not null,                -- when
  store text,                              -- the alias; follows a rename; null: its credential came from the environment
  environment text not null,               -- the environment's name; the host where there is none
  address text,                            -- the base URL: a resume never sends the rest elsewhere; null: not known
  sign_in text,                            -- when the sign-in of its access token took place, or a digest of the token
  api_key_digest text,                     -- tells one API key from every other; the key itself is never written down
  user_name text,                          -- the machine's user
  actor text,                              -- COMANDA_ACTOR
  verb text not null,                      -- as it is typed: dispatch
  operation text not null,                 -- its id in the contract
  reason text,                             -- goes out with every order
  list_digest text not null,               -- of the list of orders: the same list is the same work
  list_lock text not null,                 -- the lock under which it is sent, named after the alias that the store had then
  order_count bigint not null,             -- how many orders the list has
  is_settled bigint not null,              -- 1: nothing is left to resume
  holder text,                             -- the process that sends it: by chance; null: none does, or one sends its list anew
  ended_at bigint                          -- when its last process came to its end; null: it runs, or was cut off
);
create index runs_by_list on runs (list_digest, began_at);
create index runs_unsettled on runs (is_settled, began_at);

-- The list of a run, in its order: a row for each thousand.
create table run_orders (
  run_id text not null,                    -- runs.id
  position bigint not null,                -- of the first of them in the list, from 0
  order_ids text not null,                 -- JSON: what is changed
  primary key (run_id, position)
);

-- One write, or what one process made of it: a row of `comanda history`. It is here before its first byte goes out.
create table writes (
  run_id text not null,                    -- runs.id, or a number that what one process sends by itself shares
  number bigint not null,                  -- counts up within the run
  sent_at bigint not null,                 -- when its last request was sent
  store text,                              -- as in runs
  environment text not null,               -- as in runs
  user_name text,                          -- who sent it: another user may resume a run
  actor text,                              -- as in runs
  operation text not null,                 -- its id in the contract; request: a call that the contract doesn't know
  order_id text,                           -- null where the path names no order
  arguments text not null,                 -- JSON: the few that matter later (reason, driver, fee)
  attempts bigint not null,                -- requests that were sent
  outcome text not null,                   -- done, refused, failed, unknown; unknown as long as no answer is here
  is_open bigint not null,                 -- 1: no answer is here yet, or its process was cut off
  http_status bigint,                      -- of the last answer that says anything
  code text,                               -- the API's code, comanda's own otherwise; null: all went well
  is_service_code bigint not null,         -- 1: code is the API's number
  evidence text,                           -- whose word the outcome is: api, gateway, nobody; null: it never went out
  settled_as text,                         -- what a person has looked up of an unknown one: done, not-done
  settled_by text,                         -- COMANDA_ACTOR, or the machine's user
  settled_at bigint,                       -- when
  settled_note text,                       -- in the person's words
  primary key (run_id, number)
);
create index writes_by_time on writes (sent_at);
create index writes_by_order on writes (order_id, sent_at);
create index writes_by_store on writes (store, sent_at);
create index writes_not_done on writes (outcome, sent_at) where outcome <> 'done';

-- Work at many stores that runs share out, on whatever machines: whose turn each store is.
create table store_turns (
  work text not null,                      -- JSON: what is done at each store; runs with the same share it out
  store text not null,                     -- the alias
  round text not null,                     -- what the runs that share it out have in common: by chance
  began_at bigint not null,                -- when the store was offered
  run text,                                -- who has it, or had it last: by chance; null: nobody yet
  pid bigint,                              -- its process
  host text,                               -- where
  until_at bigint not null,                -- from then on others may take it, as from a machine that is gone
  outcome text,                            -- done, failed; null: it is not over
  primary key (work, store)
);

-- What credentials of the environment variables are called in sales.db, where no digest of one may lie.
create table credential_names (
  digest text primary key,                 -- of the credential
  name text not null                       -- by chance
);

-- === chain: sign-ins and settings of stores, in PostgreSQL alone: on one machine they are files. Private. ===

-- A store's sign-in. What is secret in it is encrypted with a key that isn't in the database.
create table sign_ins (
  store_key text primary key,              -- the alias in lower case: aliases that differ by case alone are one store's
  store text not null,                     -- the alias as the person chose it
  key_id text,                             -- which key it is encrypted with; null: it was written where there is none
  content text not null,                   -- JSON: the sign-in; with a key AES-256-GCM, bound to this store
  generation bigint not null,              -- counts up with each write: who has read an older one writes nothing
  write_id text not null                   -- of the last write, which may have been done though its answer was lost
);

-- What holds on all machines: zones, currencies, environments. One row.
create table chain_settings (
  id bigint primary key,                   -- 1
  key_id text,                             -- as in sign_ins: an address that somebody changed would get the next key
  content text not null                    -- JSON, as in settings.json; with a key AES-256-GCM, bound to being the settings
);

-- What transactions are about: one at a time about each. A role that can't write can't keep any of them waiting.
create table turns (
  name text primary key                    -- limits of a store, the settings, answers
);

-- === chain of sales: what PostgreSQL alone needs for figures. ===

-- As in the schema of the sign-ins, which readers of figures can't see.
create table turns (
  name text primary key
);

-- === sales.db: what the service answered about sales. No secret: other programs may read it. ===

-- What this database is written in. One row.
create table sales_schema_version (
  version bigint not null                  -- a comanda that knows only older ones leaves the database alone
);

-- A store as one sign-in reaches it: after another one its alias may stand for another store.
create table sources (
  id bigint primary key,                   -- counts up: the newest sign-in of a store has the highest
  store text not null,                     -- the alias; follows a rename
  environment text not null,               -- the environment's address
  sign_in text not null,                   -- tells one sign-in from every other, and nothing of its credentials
  time_zone text,                          -- as the settings said it when an answer was last kept; null: the machine's
  currency text,                           -- in the same way: ISO 4217; null: not set
  day_starts text,                         -- in the same way: 04:00; null: midnight
  changed_at bigint                        -- when this machine last changed an order of it: older answers are doubtful
);
create unique index sources_by_sign_in on sources (store, environment, sign_in);

-- One answer to one question, and when it was asked. Nothing is changed later: another answer is another row. Only where
-- the window ended when it was asked, the next answer takes its place: "running status" is its dimension, without figures.
create table answers (
  id bigint primary key,                   -- counts up in the order in which answers came
  source_id bigint not null,               -- sources.id
  asked_at bigint not null,                -- before the question went out
  asked_text text not null,                -- the same for people, in UTC
  dimension text not null,                 -- what the answer is grouped by; empty: it is a whole summary
  date_field text not null,                -- created_at, scheduled_date
  filters text not null,                   -- JSON: status_in=closed, one for each value, sorted
  from_text text not null,                 -- the window's beginning, as it went out
  to_text text not null,                   -- the window's end, as it went out
  from_at bigint not null,                 -- the window's beginning; of dates, their midnight UTC
  to_at bigint not null,                   -- the window's end
  time_zone text not null,                 -- IANA name: in whose days the window was counted
  first_day text,                          -- the window's first day; null: it isn't made of whole days
  last_day text,                           -- its last day
  figures_digest text not null,            -- answers with the same figures have the same
  answer text not null                     -- JSON: what the service answered, as it came
);
create index answers_by_question on answers (source_id, dimension, date_field, filters, from_at, to_at);

-- The same figures, one by one: of a whole summary, of each group, and of each day of the window where it is by day.
create table figures (
  answer_id bigint not null,               -- answers.id
  position bigint not null,                -- in the answer's own order, from 0; days without an order follow
  group_key text,                          -- the service's key; null: a whole summary, or orders without a value
  label text,                              -- what the service calls it
  day text,                                -- 2026-11-22, where these are the figures of one day
  ends_at bigint not null,                 -- when what they count was over: the day's end, else the window's
  order_count bigint not null,             -- orders
  revenue_cents bigint not null,           -- revenue, in the store's currency
  average_cents bigint not null,           -- the service's own average
  primary key (answer_id, position)
);

-- How the service called its drivers when it was last asked, also in figures that aren't kept.
create table drivers (
  store text not null,                     -- the alias
  driver_id bigint not null,               -- the service's id
  name text not null,                      -- the newest name
  asked_at bigint not null,                -- when the service last called it so
  primary key (store, driver_id)
);

-- --- Views, for people and programs that read sales.db: comanda help sales-db. ---
-- What a view takes from its _history is described there. DuckDB reads a view with functions of its own, so none has one
-- that only SQLite knows.

-- Every answer about a day that was over, and what the answer before it said.
create view sales_by_day_history as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  date,                                    -- the day, 2026-11-22
  time_zone,                               -- IANA name: in whose days it was counted
  '00:00' as day_starts,                   -- when the day began, always 00:00: the service counts from midnight, whatever stores says
  currency,                                -- ISO 4217; null where it is not set
  date_field,                              -- created_at, scheduled_date
  filters,                                 -- JSON, ["status_in=closed"]; [] for all orders
  orders,                                  -- how many
  revenue_cents,                           -- in hundredths: what to add up
  round(revenue_cents / 100.0, 2) as revenue, -- the same with two decimals: what to look at
  average_cents,                           -- the service's own average
  asked_text as asked_at,                  -- when this was asked, in UTC
  case when before_at - ends_at >= 3024000000 and asked_at > before_at and asked_at > coalesce(changed_at, 0)
    and orders = orders_before and revenue_cents = revenue_cents_before
    then 1 else 0 end as is_final,         -- 1: it was asked twice, 35 days after the day or later, and both agree
  case when later = 1 and is_newest_sign_in = 1
    then 1 else 0 end as is_newest,        -- 1: the newest answer about the day, by the store's newest sign-in
  asked_before,                            -- when the answer before was asked; null for the first
  orders_before,                           -- what it said
  revenue_cents_before,                    -- what it said
  case when before_at - ends_at >= 21600000 and (orders <> orders_before or revenue_cents <> revenue_cents_before)
    then 1 else 0 end as is_restated       -- 1: they differ, and both were asked 6 hours after the day or later
from (
  select s.store, s.environment, f.day as date, a.time_zone, s.currency, a.date_field, a.filters,
    f.order_count as orders, f.revenue_cents, f.average_cents, a.asked_text, a.asked_at, f.ends_at, s.changed_at,
    row_number() over (partition by a.source_id, f.day, a.time_zone, a.date_field, a.filters order by a.id desc)
      as later,
    lag(a.asked_text) over earlier as asked_before, lag(a.asked_at) over earlier as before_at,
    lag(f.order_count) over earlier as orders_before, lag(f.revenue_cents) over earlier as revenue_cents_before,
    case when s.id = (select max(o.id) from sources o where o.store = s.store and o.environment = s.environment)
      then 1 else 0 end as is_newest_sign_in
  from figures f join answers a on a.id = f.answer_id join sources s on s.id = a.source_id
  where f.day is not null and a.asked_at > f.ends_at
  window earlier as (partition by a.source_id, f.day, a.time_zone, a.date_field, a.filters order by a.id)
) as each_day;

-- The newest figures of each day that is known.
create view sales_by_day as
select store, environment, date, time_zone, day_starts, currency, date_field, filters, orders, revenue_cents,
  revenue, average_cents, asked_at, is_final
from sales_by_day_history where is_newest = 1;

-- What has changed in days that were over for 6 hours or more: all orders, by created_at.
create view restatements as
select
  store,                                   -- the store's alias
  date,                                    -- the day, 2026-11-22
  asked_before,                            -- when the figures of before were asked
  orders_before,                           -- how many orders there were then
  round(revenue_cents_before / 100.0, 2) as revenue_before, -- with two decimals
  asked_at,                                -- when the others were asked, in UTC
  orders,                                  -- how many orders there were then
  revenue                                  -- with two decimals
from sales_by_day_history where is_restated = 1 and filters = '[]' and date_field = 'created_at';

-- Every answer by a dimension, for the window that it was asked for.
create view sales_by_dimension_history as
select
  store,                                   -- the store's alias
  environment,                             -- the environment's address
  dimension,                               -- hour, status, sales_channel, driver_id …
  group_key as key,                        -- the service's key; null for orders without a value
  label,                                   -- what the service calls it
  from_date,                               -- the window's first day; null where it isn't made of whole days
  to_date,                                 -- its last day: windows overlap, so add up those that don't
  from_text as from_at,                    -- the window as it went out
  to_text as to_at,                        -- the same, both ends included
  time_zone,                               -- IANA name: in whose days it was counted
  '00:00' as day_starts,                   -- when a day began, always 00:00: the service counts from midnight, whatever stores says
  currency,                                -- ISO 4217; null where it is not set
  date_field,                              -- created_at, scheduled_date
  filters,                                 -- JSON, ["status_in=closed"]; [] for all orders
  orders,                                  -- how many
  revenue_cents,                           -- in hundredths: what to add up
  round(revenue_cents / 100.0, 2) as revenue, -- the same with two decimals: what to look at
  average_cents,                           -- the service's own average
  asked_text as asked_at,                  -- when this was asked, in UTC
  case when before_at - ends_at >= 3024000000 and asked_at > before_at and asked_at > coalesce(changed_at, 0)
    and figures_digest = digest_before
    then 1 else 0 end as is_final,         -- 1: it was asked twice, 35 days after the window or later, and both agree
  case when later = 1 and is_newest_sign_in = 1
    then 1 else 0 end as is_newest         -- 1: the newest answer to this question, by the store's newest sign-in
from (
  select s.store, s.environment, s.currency, s.changed_at, a.*, a.first_day as from_date, a.last_day as to_date,
    f.group_key, f.label, f.ends_at, f.order_count as orders, f.revenue_cents, f.average_cents,
    case when s.id = (select max(o.id) from sources o where o.store = s.store and o.environment = s.environment)
      then 1 else 0 end as is_newest_sign_in
  from (
    select answers.*,
      row_number() over (partition by source_id, dimension, from_text, to_text, date_field, filters order by id desc)
        as later,
      lag(asked_at) over earlier as before_at, lag(figures_digest) over earlier as digest_before
    from answers where dimension <> ''
    window earlier as (partition by source_id, dimension, from_text, to_text, date_field, filters order by id)
  ) as a join figures f on f.answer_id = a.id join sources s on s.id = a.source_id
) as each_group;

-- The newest figures of each group, for each window that was asked for.
create view sales_by_dimension as
select store, environment, dimension, key, label, from_date, to_date, time_zone, day_starts, currency,
  date_field, filters, orders, revenue_cents, revenue, average_cents, asked_at, is_final
from sales_by_dimension_history where is_newest = 1;

-- The stores of which something is known, by the newest sign-in of each.
create view stores as
select
  store,                                   -- the alias
  environment,                             -- the environment's address
  time_zone,                               -- as the settings said it when an answer was last kept; null: the machine's
  currency,                                -- in the same way: ISO 4217; null: not set
  day_starts                               -- in the same way: 04:00; null: midnight
from sources s
where s.id = (select max(o.id) from sources o where o.store = s.store and o.environment = s.environment);
