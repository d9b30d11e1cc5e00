-- Barred by the system: what a property's own system says against guests: a bill in dispute, a room that is barred or not to be disturbed;
-- and the packages that such guests do not get.
alter table stays add column in_dispute boolean not null default false;
alter table rooms add column barred boolean not null default false, add column do_not_disturb boolean not null default false;
alter table packages add column refused_in_dispute boolean not null default false;

-- What was told counts only while somebody wants it to.
create function forget_disputes() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update stays s set in_dispute = false from told_stays w
  where w.customer_id = new.customer_id and w.property_interface_id = new.id and s.customer_id = w.customer_id
    and s.property_id = w.property_id and s.stay_key = w.stay_key and s.in_dispute;
  update rooms r set barred = false
  where r.customer_id = new.customer_id and r.barred and r.property_id in (
    select w.property_id from told_stays w where w.customer_id = new.customer_id and w.property_interface_id = new.id);
  return null;
end $$;
create trigger forget_disputes after update of active, check_account_in_dispute, deleted_at on property_interfaces for each row
  when (not (new.active and new.check_account_in_dispute and new.deleted_at is null))
  execute function forget_disputes();

-- Another reason of an attempt, and one that the list lacked.
do $$
declare
  written constant text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'radius_authorisations_reason');
begin
  if position('''unknown_user''::text' in written) = 0 then raise exception 'the reasons of attempts are written in another way'; end if;
  alter table radius_authorisations drop constraint radius_authorisations_reason;
  execute 'alter table radius_authorisations add constraint radius_authorisations_reason '
    || replace(written, '''unknown_user''::text', '''unknown_user''::text, ''in_dispute''::text, ''taken_back''::text');
end $$;
