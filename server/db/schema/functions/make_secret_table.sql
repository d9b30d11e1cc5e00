-- For migrations: a tenant table whose secret columns the app's login may write and not read.

CREATE OR REPLACE FUNCTION public.make_secret_table(tenant_table regclass, VARIADIC secret_columns text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  open_columns text;
begin
  perform make_tenant_table(tenant_table);
  select string_agg(quote_ident(attname), ', ') into open_columns from pg_attribute
    where attrelid = tenant_table and attnum > 0 and not attisdropped and attname <> all (secret_columns);
  execute format('revoke select on %s from foyer_app', tenant_table);
  execute format('grant select (%s) on %s to foyer_app', open_columns, tenant_table);
end $function$;
