-- Reckons the states of these properties of a customer anew, and keeps what changed, with since when it is so. Called each minute, and by
-- triggers of what states depend on; a row that another node is writing is left to it.

CREATE OR REPLACE FUNCTION public.keep_property_states(customer integer, which integer[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  -- In one statement the properties of a large customer would be compared with each other, one by one.
  at_once constant integer := 200;
  part integer[];
begin
  for part in select array_agg(n.id order by n.id) from (
    select u.id, (row_number() over (order by u.id) - 1) / at_once as nth from unnest(which) as u(id)) as n group by n.nth order by n.nth
  loop
    with found as materialized (select * from property_states_now(customer, part)),
    held as materialized (
      select s.id, s.property_id, f.property_id is null as is_gone from property_states s left join found f on f.property_id = s.property_id
      where s.customer_id = customer and s.property_id = any (part) and (f.property_id is null
        or (f.word, f.sentence, f.online, f.suffering, coalesce(f.since, s.since))
          is distinct from (s.word, s.sentence, s.online, s.suffering, s.since))
      for update of s skip locked),
    gone as (delete from property_states s using held h where s.id = h.id and h.is_gone),
    changed as (
      update property_states s set word = f.word, sentence = f.sentence, online = f.online, suffering = f.suffering,
        since = coalesce(f.since, case when s.word = f.word then s.since else app_now() end)
      from held h join found f on f.property_id = h.property_id where s.id = h.id)
    insert into property_states (customer_id, property_id, word, since, sentence, online, suffering)
    select customer, f.property_id, f.word, coalesce(f.since, app_now()), f.sentence, f.online, f.suffering from found f
    where not exists (select from property_states s where s.customer_id = customer and s.property_id = f.property_id)
    order by f.property_id on conflict (customer_id, property_id) do nothing;
  end loop;
end $function$
;

grant execute on function keep_property_states(integer,integer[]) to foyer_app;
