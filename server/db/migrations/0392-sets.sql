-- Sets: a user who is moved to another owner is signed out, and a batch says how many devices one code lets in.

drop trigger sessions_end_with_user on users;
create trigger sessions_end_with_user after update of active, deleted_at, group_id, property_id, package_id on users for each row
  when (old.active and not new.active or old.deleted_at is null and new.deleted_at is not null
    or (old.group_id, old.property_id, old.package_id) is distinct from (new.group_id, new.property_id, new.package_id))
  execute function end_sessions_of_user();

-- 0: as many as the package says.
alter table voucher_batches add column devices integer not null default 0 check (devices >= 0);
