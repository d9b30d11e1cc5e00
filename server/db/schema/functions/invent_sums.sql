-- What accounting would have kept of the sessions of an invented operator: sums by day, days of guests, and usage of holders. Called by
-- invent_business.

CREATE OR REPLACE FUNCTION public.invent_sums(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  -- The daily parts of each session, and the daily roll-ups that accounting keeps.
  update radius_sessions s
  set days = jsonb_build_object(local_day(s.started_at, h.time_zone), jsonb_build_array(s.seconds, s.bytes_up, s.bytes_down)),
    username = s.identifier
  from properties h where s.customer_id = made_for and h.customer_id = s.customer_id and h.id = s.property_id;
  insert into session_days (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds,
    bytes_up, bytes_down)
  select s.customer_id, s.property_id, local_day(s.started_at, h.time_zone), s.auth_method_id, s.package_id, s.group_id, s.mac_category_id,
    count(*), sum(s.seconds), sum(s.bytes_up), sum(s.bytes_down)
  from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  where s.customer_id = made_for group by 1, 2, 3, 4, 5, 6, 7;
  insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
  select made_for, property_id, day, guest, auth_method_id, day = min(day) over (partition by property_id, guest)
  from (
    select distinct s.property_id, local_day(s.started_at, h.time_zone) as day, s.auth_method_id,
      guest_pseudonym(made_for, s.guest_id, s.account_id, s.voucher_id, s.device_id, s.mac_address) as guest
    from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
    where s.customer_id = made_for
  ) seen where guest is not null;
  insert into guest_first_days (customer_id, property_id, guest, first_day, last_day)
  select made_for, property_id, guest, min(day), max(day) from guest_days where customer_id = made_for group by 2, 3;

  -- The usage of holders, only of packages that it cannot use up.
  insert into usage_periods (customer_id, account_id, voucher_id, guest_id, starts_at, seconds_used, bytes_used)
  select s.customer_id, s.account_id, s.voucher_id, s.guest_id, day_begins(local_day(s.started_at, h.time_zone), h.time_zone),
    sum(s.seconds), sum(s.bytes_up + s.bytes_down)
  from radius_sessions s
  join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  join packages p on p.customer_id = s.customer_id and p.id = s.package_id
  where s.customer_id = made_for and num_nonnulls(s.account_id, s.voucher_id, s.guest_id) = 1 and p.volume_gb = 0
    and (p.recurs = 'daily' or p.session_time_hrs = 0)
  group by s.customer_id, s.account_id, s.voucher_id, s.guest_id, 5;
end $function$;
