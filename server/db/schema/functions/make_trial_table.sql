-- For migrations: a tenant table that keeps what trials write, apart: others do not see it, and a trial changes nothing else there.

CREATE OR REPLACE FUNCTION public.make_trial_table(kept regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s add column if not exists trial_id integer', kept);
  execute format('alter table %s alter column trial_id set default app_trial_id()', kept);
  execute format('create policy trials_stand_apart on %s as restrictive
                    using (trial_id is null or trial_id = (select app_trial_id()) or (select app_sees_trials()))
                    with check (trial_id is null or trial_id = (select app_trial_id()) or (select app_sees_trials()))', kept);
  execute format('create trigger trials_change_their_own before update or delete on %s for each row
                    when (app_trial_id() is not null and old.trial_id is null) execute function leave_alone()', kept);
end $function$;
