-- Trigger of billing runs with their nights and lines: an approved run is never changed, but where it refers to what is deleted. It goes
-- with the sample that it was tried in.

CREATE OR REPLACE FUNCTION public.refuse_change_of_approved_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  run_id integer := case when tg_table_name = 'billing_runs' then (to_jsonb(old) ->> 'id')::integer
    else (to_jsonb(coalesce(old, new)) ->> 'billing_run_id')::integer end;
  unlinked jsonb := '{"property_id": null, "approved_by_user_id": null, "report_id": null}';
begin
  -- It goes with the sample that it was tried in.
  if tg_op = 'DELETE' and is_sample(old.customer_id) then return old; end if;
  if tg_op = 'UPDATE' and to_jsonb(new) || unlinked = to_jsonb(old) || unlinked then return new; end if;
  if exists (select from billing_runs
             where customer_id = coalesce(old.customer_id, new.customer_id) and id = run_id and approved_at is not null) then
    raise exception 'an approved billing run cannot be changed' using errcode = 'integrity_constraint_violation',
      constraint = 'billing_runs_frozen';
  end if;
  return coalesce(new, old);
end $function$;
