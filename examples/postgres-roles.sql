-- The roles of a chain's database: who makes and changes its tables, who runs comanda, and who reads sales.
--
-- An administrator runs this once, in the database, before comanda has been there:
--
--   createdb comanda && psql comanda --file postgres-roles.sql
--
-- and gives each role a password (\password comanda_run). Then comanda_migrate makes the tables, and does so again after
-- an update of comanda that says so: COMANDA_STATE=postgres://comanda_migrate@db.example/comanda comanda doctor
create role comanda_migrate login;
create role comanda_run login;
create role comanda_read login;

create schema comanda authorization comanda_migrate;
create schema comanda_sales authorization comanda_migrate;

-- Runs comanda: everything but the tables themselves. Sign-ins are encrypted with a key that isn't in the database.
grant usage on schema comanda, comanda_sales to comanda_run;
alter default privileges for role comanda_migrate in schema comanda
  grant select, insert, update, delete on tables to comanda_run;
alter default privileges for role comanda_migrate in schema comanda_sales
  grant select, insert, update, delete on tables to comanda_run;

-- Reads sales, and nothing else: neither sign-ins nor what was sent.
grant usage on schema comanda_sales to comanda_read;
alter default privileges for role comanda_migrate in schema comanda_sales
  grant select on tables to comanda_read;
