-- Quick sign-ins: what is written with each sign-in and each report is written in place.

-- A trigger before an update makes PostgreSQL work out every generated column again, at each sign-in the whole `search` of an account.
-- So an account's room number follows its room afterwards.
create function keep_room_number_of_account() returns trigger language plpgsql as $$
begin
  update accounts as t
    set room_number = (select r.number from rooms as r where r.customer_id = new.customer_id and r.id = new.room_id)
    where t.customer_id = new.customer_id and t.id = new.id;
  return null;
end $$;
drop trigger change_room_number on accounts;
create trigger change_room_number after update of room_id on accounts
  for each row when (new.room_id is distinct from old.room_id) execute function keep_room_number_of_account();

-- Room on each page for the next version of a row that is written again and again: it is then written beside the former one, and none
-- of the table's indexes is touched.
alter table radius_sessions set (fillfactor = 70);
alter table accounts set (fillfactor = 85);
alter table gateways set (fillfactor = 50);
