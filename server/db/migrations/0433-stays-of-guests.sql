-- Stays: a room and its days, and what the desk gives for them, whoever stays there. Guests of one room who come and leave together by
-- one act share a stay (docs/decisions/125-stays.md).

create table stays (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_id integer not null,
  room_id integer not null,
  -- The room's, as it is passed on to its guests.
  room_number text not null,
  -- By which a property's own system knows it.
  stay_key text,
  -- Those of its guests.
  arrives_on date,
  departs_on date,
  -- On the day of departure, by the property's clock. null: until that day is over.
  until_time time(0),
  package_id integer,
  -- Of all its guests together. null: as many for each guest as the package allows.
  devices integer check (devices > 0),
  note text,
  group_name text,
  source text not null default 'desk' check (source in ('desk', 'import', 'system')),
  no_show boolean not null default false,
  may_be_charged boolean not null default true,
  -- When its source last said something of it.
  told_at timestamptz,
  created_at timestamptz not null default now(),
  -- When the last of its guests left.
  deleted_at timestamptz,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, room_id) references rooms (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id)
);
create index on stays (customer_id, created_at desc, id desc) where deleted_at is null;
create index on stays (customer_id, property_id, created_at desc, id desc) where deleted_at is null;
create index on stays (customer_id, room_id, created_at desc, id desc) where deleted_at is null;
create index on stays (customer_id, coalesce(arrives_on, 'infinity'), id) where deleted_at is null;
create index on stays (customer_id, coalesce(departs_on, 'infinity'), id) where deleted_at is null;
create index on stays (customer_id, property_id, coalesce(departs_on, 'infinity'), id) where deleted_at is null;
create index on stays (customer_id, package_id) where package_id is not null;

alter table stays enable row level security, force row level security;
create policy owner_sees_all on stays to foyer_owner using (true) with check (true);
create policy app_sees_its_customer on stays to foyer_app
  using (customer_id = (select app_customer_id())) with check (customer_id = (select app_customer_id()));
grant select, insert, update, delete on stays to foyer_app;

-- null: one who left before there were stays.
alter table room_guests add column stay_id integer,
  add constraint room_guests_customer_id_stay_id_fkey foreign key (customer_id, stay_id)
    references stays (customer_id, id) on delete set null (stay_id) not valid;

-- When nobody of a stay is online any more; null while it has no end.
create function stay_ends(departs_on date, until_time time, zone text) returns timestamptz language sql stable as $$
  select case when until_time is null then day_begins(departs_on + 1, zone) else (departs_on + until_time) at time zone zone end
$$;
grant execute on function stay_ends(date, time, text) to foyer_app;

create function share_stay() returns trigger language plpgsql as $$
declare
  shared integer;
begin
  if new.stay_id is not null or new.deleted_at is not null then return new; end if;
  -- One act is one transaction, in which everything has the same time.
  select s.id into shared from stays as s
    where s.customer_id = new.customer_id and s.room_id = new.room_id and s.created_at = new.created_at and s.deleted_at is null
      and s.stay_key is null
      and (s.arrives_on, s.departs_on) is not distinct from (new.arrives_on, new.departs_on)
    order by s.id limit 1;
  if shared is null then
    insert into stays (customer_id, property_id, room_id, room_number, arrives_on, departs_on, created_at)
      values (new.customer_id, new.property_id, new.room_id, new.room_number, new.arrives_on, new.departs_on, new.created_at) returning id into shared;
  end if;
  new.stay_id := shared;
  return new;
end $$;
-- After keep_room_of_guest, by its name: that says which property it is. Only guests who came before there were stays have none.
create trigger share_stay before insert or update on room_guests
  for each row when (new.stay_id is null) execute function share_stay();

create function keep_stays_of_guests() returns trigger language plpgsql as $$
declare
  touched integer[] := array(select distinct n.stay_id from old_rows as o join new_rows as n on n.id = o.id
    where n.stay_id is not null and (o.room_id, o.arrives_on, o.departs_on, o.deleted_at)
      is distinct from (n.room_id, n.arrives_on, n.departs_on, n.deleted_at));
  part record;
  other integer;
begin
  if touched = '{}' then return null; end if;
  perform from stays as s where s.id = any(touched) order by s.id for no key update of s;
  update stays as s set deleted_at = now() where s.id = any(touched) and s.deleted_at is null and not exists (
    select from room_guests as g where g.customer_id = s.customer_id and g.stay_id = s.id and g.deleted_at is null);
  for part in
    select p.* from (
      select s.id, g.property_id, g.room_id, g.room_number, g.arrives_on, g.departs_on, array_agg(g.id) as guests,
        row_number() over (partition by s.id order by
          (g.room_id, g.arrives_on, g.departs_on) is distinct from (s.room_id, s.arrives_on, s.departs_on), min(g.id)) as place
      from stays as s join room_guests as g on g.customer_id = s.customer_id and g.stay_id = s.id and g.deleted_at is null
      where s.id = any(touched)
      group by s.id, g.property_id, g.room_id, g.room_number, g.arrives_on, g.departs_on, s.room_id, s.arrives_on, s.departs_on) as p
    order by p.id, p.place
  loop
    -- Those who came with them, were parted from them, and are with them again.
    select y.id into other from stays as s join stays as y on y.customer_id = s.customer_id and y.room_id = part.room_id
        and y.created_at = s.created_at and y.id <> s.id and y.deleted_at is null
        -- The property's own system knows each apart.
        and y.stay_key is null and s.stay_key is null
      where s.id = part.id and (y.arrives_on, y.departs_on) is not distinct from (part.arrives_on, part.departs_on)
        and (y.until_time, y.package_id, y.devices, y.note, y.group_name)
          is not distinct from (s.until_time, s.package_id, s.devices, s.note, s.group_name)
      order by y.id limit 1;
    if other < part.id or (other is not null and part.place > 1) then
      update room_guests as g set stay_id = other where g.id = any(part.guests);
      if part.place = 1 then update stays as s set deleted_at = now() where s.id = part.id; end if;
    elsif part.place = 1 then
      -- The one that was there first goes on.
      if other is not null then
        update room_guests as g set stay_id = part.id
          where g.customer_id = app_customer_id() and g.stay_id = other and g.deleted_at is null;
        update stays as s set deleted_at = now() where s.id = other;
      end if;
      update stays as s set property_id = part.property_id, room_id = part.room_id, room_number = part.room_number,
          arrives_on = part.arrives_on, departs_on = part.departs_on, deleted_at = null
        where s.id = part.id and (s.room_id, s.arrives_on, s.departs_on, s.deleted_at)
          is distinct from (part.room_id, part.arrives_on, part.departs_on, null::timestamptz);
    else
      -- Who was moved, or leaves on another day, has a stay of their own from now on, with what the desk gave.
      insert into stays (customer_id, property_id, room_id, room_number, arrives_on, departs_on, until_time, package_id, devices, note,
          group_name, source, may_be_charged, told_at, created_at)
        select s.customer_id, part.property_id, part.room_id, part.room_number, part.arrives_on, part.departs_on, s.until_time,
          s.package_id, s.devices, s.note, s.group_name, s.source, s.may_be_charged, s.told_at, s.created_at
        from stays as s where s.id = part.id returning id into other;
      update room_guests as g set stay_id = other where g.id = any(part.guests);
    end if;
  end loop;
  return null;
end $$;
create trigger keep_stays_of_guests after update on room_guests referencing old table as old_rows new table as new_rows
  for each statement execute function keep_stays_of_guests();

create function keep_guests_of_stay() returns trigger language plpgsql as $$
begin
  update room_guests as g set room_id = new.room_id, arrives_on = new.arrives_on, departs_on = new.departs_on
    where g.customer_id = new.customer_id and g.stay_id = new.id and g.deleted_at is null
      and (g.room_id, g.arrives_on, g.departs_on) is distinct from (new.room_id, new.arrives_on, new.departs_on);
  return null;
end $$;
create trigger keep_guests_of_stay after update of room_id, arrives_on, departs_on on stays
  for each row when ((old.room_id, old.arrives_on, old.departs_on) is distinct from (new.room_id, new.arrives_on, new.departs_on))
  execute function keep_guests_of_stay();
