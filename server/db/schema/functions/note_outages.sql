-- Notes where outages of a customer's properties begin and end, by their states: guests suffer while a gateway is silent or refuses, or a
-- link is down. One is over, as of then, when nobody has suffered for 30 minutes. Called each minute; mails follow.

CREATE OR REPLACE FUNCTION public.note_outages(customer integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into outages as o (customer_id, property_id, began_at)
  select s.customer_id, s.property_id, s.since from property_states s
  where s.customer_id = customer and s.word in ('silent', 'refusing', 'link_down') order by s.property_id
  on conflict (customer_id, property_id) where ended_at is null do update set calm_since = null where o.calm_since is not null;
  update outages o set calm_since = app_now() where o.customer_id = customer and o.ended_at is null and o.calm_since is null
    and not exists (select from property_states s where s.customer_id = customer and s.property_id = o.property_id
      and s.word in ('silent', 'refusing', 'link_down'));
  update outages o set ended_at = o.calm_since where o.customer_id = customer and o.ended_at is null
    and o.calm_since < app_now() - interval '30 minutes';
end $function$
;

grant execute on function note_outages(integer) to foyer_app;
