-- For migrations: a table with generated columns refuses changes within a trial by a policy, since a trigger before each update would have
-- those columns worked out again. The condition own lets a trial change its own rows.

CREATE OR REPLACE FUNCTION public.make_refusing_trials(written regclass, own text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  guard name := (select t.tgname from pg_trigger t where t.tgrelid = written and t.tgname in ('trials_change_their_own', 'trials_change_nothing'));
begin
  execute format('create or replace trigger %I before %s delete on %s for each row when (app_trial_id() is not null %s)
                    execute function leave_alone()', guard, case guard when 'trials_change_nothing' then 'insert or' else '' end, written,
                    case guard when 'trials_change_nothing' then '' else 'and old.trial_id is null' end);
  execute format('create policy trials_refused on %s as restrictive for update using (true)
                    with check ((select app_trial_id()) is null %s)', written, own);
end $function$;
