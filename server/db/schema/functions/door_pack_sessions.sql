-- Packs sessions that ended more than hot_s ago and in a month (of UTC) that was over then: at most sessions_max of one property and month,
-- in the order in which they began. Those of trials are left, and those of hours that are not counted yet. Returns whether any was packed,
-- so that more may be left. Called by a job.

CREATE OR REPLACE FUNCTION public.door_pack_sessions(hot_s bigint, sessions_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  over constant timestamptz := date_trunc('month', now() - make_interval(secs => hot_s), 'UTC');
  patience constant text := current_setting('lock_timeout');
  before timestamptz;
  customer integer;
  place integer;
  month timestamptz;
  next_month timestamptz;
  chosen bigint[];
begin
  for customer, before in
    select c.id, least(over, l.counted_until) from customers c left join hour_ledgers l on l.customer_id = c.id
  loop
    select s.property_id, date_trunc('month', s.stopped_at, 'UTC') into place, month from radius_sessions s
      where s.customer_id = customer and s.stopped_at < before and s.started_at < before and s.trial_id is null
      order by s.stopped_at limit 1;
    continue when not found;
    -- Whoever reads former months of the customer goes first, and those who come meanwhile wait. Whoever reads for longer than a second
    -- is left alone: the next round comes within the hour.
    begin
      perform set_config('lock_timeout', '1s', true);
      perform pg_advisory_xact_lock(hashtext('pack sessions'), customer);
      perform set_config('lock_timeout', patience, true);
    exception when lock_not_available then
      continue;
    end;
    next_month := date_trunc('month', month + interval '32 days', 'UTC');
    chosen := array(select s.id from radius_sessions s
      where s.customer_id = customer and s.property_id = place and s.trial_id is null
        and s.started_at < before and s.stopped_at >= month and s.stopped_at < least(next_month, before)
      order by s.started_at, s.id limit sessions_max for update skip locked);
    continue when cardinality(chosen) = 0;
    -- A statement reads what was there before it, so the addresses of the sessions that it deletes, too.
    with gone as (
      delete from radius_sessions s where s.customer_id = customer and s.id = any (chosen) returning s.*
    ), sorted as (
      -- A name may still have a voucher's code, and so may what its gateway calls the session.
      select s.*, case when s.voucher_id is null then s.identifier else '••••-••••-' || right(s.identifier, 4) end as name,
        case when day is null then null
        when s.days = jsonb_build_object(day, jsonb_build_array(s.seconds, s.bytes_up, s.bytes_down)) then day::date end as only_day
      from gone s cross join lateral (select min(k) as day from jsonb_object_keys(s.days) as k) as first
      order by s.started_at, s.id
    ), homes as (
      select a.radius_session_id, a.address, microseconds(a.since - s.started_at) as since, microseconds(a.until - s.started_at) as until
      from session_addresses a join gone s on s.id = a.radius_session_id
      where a.customer_id = customer and a.radius_session_id = any (chosen)
      order by a.since, a.id
    )
    insert into packed_sessions (customer_id, property_id, began_at, over_at, first_over_at,
      session_ids, gateway_ids, group_ids, acct_session_ids, auth_method_ids, package_ids, mac_category_ids, account_ids, voucher_ids,
      device_ids, guest_ids, identifiers, usernames, mac_addresses, calling_stations, ips, ipv6s, started_ats, last_seen_after,
      stopped_after, created_after, accepted_after, ends_after, disconnect_asked_after, disconnect_agreed_after,
      disconnect_unknown_after, seconds, bytes_up, bytes_down, termination_causes, stops_inferred, disconnect_for, authorisation_ids,
      only_days, days, terms, box_sessions,
      address_session_ids, addresses, address_since_after, address_until_after)
    select customer, place, min(s.started_at), max(greatest(s.started_at, s.stopped_at, s.last_seen_at)),
      min(greatest(s.started_at, s.stopped_at)),
      array_agg(s.id), array_agg(s.gateway_id), array_agg(s.group_id), array_agg(s.acct_session_id), array_agg(s.auth_method_id),
      array_agg(s.package_id), array_agg(s.mac_category_id), array_agg(s.account_id), array_agg(s.voucher_id), array_agg(s.device_id),
      array_agg(s.guest_id),
      array_agg(s.name), array_agg(case when s.voucher_id is null then s.username end), array_agg(s.mac_address),
      array_agg(s.calling_station),
      array_agg(s.ip), array_agg(nullif(array_to_string(s.ipv6, ' '), '')), array_agg(s.started_at),
      array_agg(microseconds(s.last_seen_at - s.started_at)), array_agg(microseconds(s.stopped_at - s.started_at)),
      array_agg(microseconds(s.created_at - s.started_at)), array_agg(microseconds(s.accepted_at - s.started_at)),
      array_agg(microseconds(s.ends_at - s.started_at)), array_agg(microseconds(s.disconnect_asked_at - s.started_at)),
      array_agg(microseconds(s.disconnect_agreed_at - s.started_at)), array_agg(microseconds(s.disconnect_unknown_at - s.started_at)),
      array_agg(s.seconds), array_agg(s.bytes_up), array_agg(s.bytes_down), array_agg(s.termination_cause), array_agg(s.stop_inferred),
      array_agg(s.disconnect_for), array_agg(s.authorisation_id - s.id), array_agg(s.only_day),
      array_agg(case when s.only_day is null then s.days end), array_agg(s.terms), array_agg(s.box_session),
      array(select h.radius_session_id from homes h), array(select h.address from homes h), array(select h.since from homes h),
      array(select h.until from homes h)
    from sorted s;
    update customers c set sessions_packed_before = least(next_month, before)
      where c.id = customer and coalesce(c.sessions_packed_before < least(next_month, before), true);
    return true;
  end loop;
  return false;
end $function$;
