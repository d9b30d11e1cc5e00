-- The sign-in attempts of an invented operator. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.invent_attempts(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  -- Attempts of the last 30 days: one for each session, and one refused for every twelve; at one place more lately.
  insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, account_id, voucher_id, guest_id, package_id,
    identifier, mac_address, accepted, reason, created_at)
  select s.customer_id, s.gateway_id, s.property_id, s.auth_method_id, s.account_id, s.voucher_id, s.guest_id, s.package_id, s.identifier,
    s.mac_address, t.accepted,
    case when t.accepted then 'accepted' when s.auth_method_id = 2 then (array['unknown_user', 'expired', 'time_used_up'])[1 + s.id % 3]
      else (array['wrong_password', 'unknown_user', 'device_limit'])[1 + s.id % 3] end,
    s.started_at - t.before
  from radius_sessions s
  join demo_houses h on h.id = s.property_id
  cross join lateral (
    select true as accepted, interval '1 second' as before
    union all select false, n * interval '41 seconds' from generate_series(1, case
      when h.place = 9 and s.started_at > now() - interval '30 hours' then 1 + (s.id % 3)::integer
      when s.id % 12 = 0 then 1 else 0 end) n
  ) t
  where s.customer_id = made_for and s.started_at > now() - interval '30 days';
end $function$;
