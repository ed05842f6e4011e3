-- Creates the roles of a chain's database: one owns the tables, one runs comanda, one reads sales.
--
-- An administrator runs this once, in the database, before comanda uses it for the first time:
--
--   createdb comanda && psql comanda --file postgres-roles.sql
--
-- and sets a password for each role (\password comanda_run). Then comanda_migrate creates the tables, and updates them if a new
-- version of comanda requires it: COMANDA_STATE=postgres://comanda_migrate@db.example/comanda comanda doctor
--
-- comanda help postgres describes all steps.
create role comanda_migrate login;
create role comanda_run login;
create role comanda_read login;

create schema comanda authorization comanda_migrate;
create schema comanda_sales authorization comanda_migrate;

-- Runs comanda, and can't change the tables themselves. Sign-ins are encrypted with a key that isn't in the database.
grant usage on schema comanda, comanda_sales to comanda_run;
alter default privileges for role comanda_migrate in schema comanda
  grant select, insert, update, delete on tables to comanda_run;
alter default privileges for role comanda_migrate in schema comanda_sales
  grant select, insert, update, delete on tables to comanda_run;

-- Reads only sales: neither sign-ins nor the journal.
grant usage on schema comanda_sales to comanda_read;
alter default privileges for role comanda_migrate in schema comanda_sales
  grant select on tables to comanda_read;
