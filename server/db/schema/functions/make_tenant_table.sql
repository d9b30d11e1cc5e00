-- For migrations: a table whose rows belong to customers. Row security, forced, shows the app's login those of its customer alone, who is
-- stamped on new ones; within a trial it stays as it is.

CREATE OR REPLACE FUNCTION public.make_tenant_table(tenant_table regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s alter column customer_id set default app_customer_id()', tenant_table);
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy owner_sees_all on %s to foyer_owner using (true) with check (true)', tenant_table);
  execute format('create policy app_sees_its_customer on %s to foyer_app
                    using (customer_id = (select app_customer_id()))
                    with check (customer_id = (select app_customer_id()))', tenant_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', tenant_table);
  perform leave_trials_out(tenant_table);
end $function$;
