-- The people of an invented operator: guests in rooms, and accounts. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.invent_people(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  -- Guests in rooms: most stay, some arrive or leave today, a few should have left yesterday.
  insert into room_guests (customer_id, room_id, first_name, last_name, email, mobile_number, arrives_on, departs_on, checked_in_at, created_at)
  select r.customer_id, r.id, split_part(p.name, ' ', 1), split_part(p.name, ' ', 2), p.handle || '@mail.example',
    '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0'), s.arrives_on, s.departs_on,
    least(s.arrives_on + interval '15 hours', now()), least(s.arrives_on - interval '1 day', now())
  from (select r.*, h.today, random() as luck, row_number() over (order by random()) as turn from rooms r join demo_houses h on h.id = r.property_id
        where r.customer_id = made_for and h.property_type_id <> 4 and h.open and random() < 0.61) r
  join demo_people p on p.place = r.turn % (select count(*) from demo_people) + 1
  cross join lateral (select
    r.today - case when r.luck < 0.1 then 0 when r.luck < 0.25 then 2 + r.turn::integer % 3 else 1 + r.turn::integer % 4 end as arrives_on,
    r.today + case when r.luck < 0.1 then 1 + r.turn::integer % 5 when r.luck < 0.2 then 0 when r.luck < 0.25 then -1
      else 1 + r.turn::integer % 6 end as departs_on) s;
  -- Guests who arrive today were entered earlier, and are not checked in yet.
  update room_guests g set checked_in_at = null from rooms r join demo_houses h on h.id = r.property_id
  where g.customer_id = made_for and r.customer_id = g.customer_id and r.id = g.room_id and g.arrives_on = h.today;

  -- Accounts: one for each flat in student homes, regulars and conference guests elsewhere.
  insert into accounts (customer_id, property_id, package_id, room_id, account_type_id, name, email, mobile_number, username, active, created_at)
  select customer_id, property_id, package_id, room_id, account_type_id, name || case when nth > 1 then ' ' || nth else '' end, handle || case when nth > 1 then nth::text else '' end || '@mail.example',
    case when random() < 0.7 then '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0') end,
    handle || case when nth > 1 then nth::text else '' end, random() > 0.06, created_at
  from (
    select x.*, p.name, p.handle, row_number() over (partition by x.property_id, p.name order by x.created_at) as nth
    from (
      select r.customer_id, r.property_id, h.package_id, r.id as room_id, 1 as account_type_id, now() - random() * interval '80 days' as created_at, row_number() over (order by random()) as turn
      from rooms r join demo_houses h on h.id = r.property_id where r.customer_id = made_for and h.property_type_id = 4 and h.open and random() < 0.94
      union all
      select h.customer_id, h.id, h.package_id, null, case when h.property_type_id = 7 then 2 else 1 end, now() - power(random(), 2) * interval '85 days', row_number() over (order by random())
      from demo_houses h, generate_series(1, case h.property_type_id when 7 then 160 when 6 then 60 else 90 end) where h.open and h.property_type_id <> 4
    ) x join demo_people p on p.place = (x.turn * 7919) % (select count(*) from demo_people) + 1
  ) y;
end $function$;
