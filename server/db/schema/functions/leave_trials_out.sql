-- For migrations: within a trial nothing is written to this table. Called by make_tenant_table.

CREATE OR REPLACE FUNCTION public.leave_trials_out(other regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger trials_change_nothing before insert or update or delete on %s for each row
                    when (app_trial_id() is not null) execute function leave_alone()', other);
end $function$;
