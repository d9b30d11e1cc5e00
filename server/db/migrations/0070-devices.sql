-- Devices: their lists by name and status, their room among what is searched, and categories that block.

create index on devices (customer_id, name, id) where deleted_at is null;
create index on devices (customer_id, status, created_at desc, id desc) where deleted_at is null;

-- Devices of a category that blocks are refused by every method. A new customer has one such category.
alter table mac_categories add column blocks boolean not null default false;
alter table mac_category_templates add column blocks boolean not null default false;
update mac_category_templates set blocks = true where name = 'Blocked';
update mac_categories set blocks = true where name = 'Blocked';

-- Of the function that signs a customer up, this one statement changes; whatever else has become of it stays.
do $$
declare
  before constant text := 'insert into mac_categories (customer_id, name) select customer, t.name from';
  after constant text := 'insert into mac_categories (customer_id, name, blocks) select customer, t.name, t.blocks from';
  written constant text := pg_get_functiondef('door_sign_up(text, text, text, text, boolean)'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'door_sign_up copies the MAC categories in another way'; end if;
  execute replace(written, before, after);
end $$;

-- As accounts have it: the number of the room beside the device, for a row is searched by what stands in it.
alter table devices add column room_number text;
update devices as t set room_number = r.number from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id;
create trigger keep_room_number before insert on devices
  for each row when (new.room_id is not null) execute function keep_room_number();
create trigger change_room_number before update of room_id on devices
  for each row when (new.room_id is distinct from old.room_id) execute function keep_room_number();
create or replace function pass_room_number_on() returns trigger language plpgsql as $$
begin
  update accounts set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update room_guests set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update devices set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  return null;
end $$;
alter table devices drop column search;
alter table devices add column search text not null generated always as (search_text(
  ' ' || name || ' ' || coalesce(external_reference, '') || ' ' || mac_address::text || ' ' || replace(mac_address::text, ':', '')
  || ' ' || coalesce(room_number, '') || search_hex(name) || search_hex(external_reference) || search_hex(room_number))) stored;
select make_searchable('devices');
