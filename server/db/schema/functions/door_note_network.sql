-- Notes that a login signed in from this network, for door_knows. Keeps the 20 used last.

CREATE OR REPLACE FUNCTION public.door_note_network(login integer, from_network text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into login_addresses (login_id, network) values (login, from_network)
    on conflict (login_id, network) do update set last_used_at = now();
  delete from login_addresses a where a.login_id = login and a.network in (
    select o.network from login_addresses o where o.login_id = login order by o.last_used_at desc, o.network offset 20);
$function$;
