-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.leave_trials_out(other regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger trials_change_nothing before insert or update or delete on %s for each row
                    when (app_trial_id() is not null) execute function leave_alone()', other);
end $function$;
