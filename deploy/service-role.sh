#!/bin/sh
# Makes the role that the service runs as, beside the owner of the database, or sets its password. The image runs it for a new
# database; in one that is there: docker compose exec postgres /docker-entrypoint-initdb.d/service-role.sh
set -eu
# The password comes from the environment: what is in the command line, every process can read.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_USER" <<'SQL'
\getenv password SERVICE_PASSWORD
select 'create role athletics_service'
  where not exists (select from pg_roles where rolname = 'athletics_service') \gexec
alter role athletics_service with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
  password :'password';
SQL
