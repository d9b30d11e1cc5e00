-- The packed sessions of the present customer that began from began_since to began_until, in whose rows any time is from since to until,
-- and, where guests or vouchers are named, one of theirs; with the columns of radius_sessions, but those by which packets find their
-- session and by which people search. Written so that PostgreSQL puts it into the statement that asks. Only nodes of the release before ask
-- it.

CREATE OR REPLACE FUNCTION public.sessions_of_packs(since timestamp with time zone, until timestamp with time zone, began_since timestamp with time zone, began_until timestamp with time zone, of_guests bigint[], of_vouchers bigint[])
 RETURNS TABLE(id bigint, customer_id integer, property_id integer, gateway_id integer, group_id integer, acct_session_id text, auth_method_id integer, package_id integer, mac_category_id integer, account_id integer, voucher_id bigint, device_id integer, guest_id bigint, identifier text, username text, mac_address macaddr, calling_station text, ip inet, ipv6 text[], started_at timestamp with time zone, last_seen_at timestamp with time zone, stopped_at timestamp with time zone, created_at timestamp with time zone, accepted_at timestamp with time zone, ends_at timestamp with time zone, disconnect_asked_at timestamp with time zone, disconnect_agreed_at timestamp with time zone, disconnect_unknown_at timestamp with time zone, seconds bigint, bytes_up bigint, bytes_down bigint, termination_cause text, stop_inferred boolean, disconnect_for text, authorisation_id bigint, days jsonb, terms jsonb, box_session text)
 LANGUAGE sql
 STABLE
AS $function$
  select u.id, k.customer_id, k.property_id, u.gateway_id, u.group_id, u.acct_session_id, u.auth_method_id, u.package_id, u.mac_category_id,
    u.account_id, u.voucher_id, u.device_id, u.guest_id, u.identifier, u.username, u.mac_address, u.calling_station, u.ip,
    string_to_array(coalesce(u.ipv6, ''), ' '), u.started_at, u.started_at + u.last_seen_after * interval '1 microsecond',
    u.started_at + u.stopped_after * interval '1 microsecond', u.started_at + u.created_after * interval '1 microsecond',
    u.started_at + u.accepted_after * interval '1 microsecond', u.started_at + u.ends_after * interval '1 microsecond',
    u.started_at + u.disconnect_asked_after * interval '1 microsecond',
    u.started_at + u.disconnect_agreed_after * interval '1 microsecond',
    u.started_at + u.disconnect_unknown_after * interval '1 microsecond', u.seconds, u.bytes_up, u.bytes_down, u.termination_cause,
    u.stop_inferred, u.disconnect_for, u.authorisation_id + u.id,
    case when u.only_day is null then u.days
      else jsonb_build_object(to_char(u.only_day, 'YYYY-MM-DD'), jsonb_build_array(u.seconds, u.bytes_up, u.bytes_down)) end,
    u.terms, u.box_session
  from packed_sessions k
  -- They stand in the order in which they began, so that the places of those that are wanted are found by halving: once, by the offset.
  cross join lateral (select width_bucket(began_since - interval '1 microsecond', k.started_ats) + 1 as first,
    width_bucket(began_until, k.started_ats) as last offset 0) as w
  cross join lateral unnest(
    k.session_ids[w.first:w.last], k.gateway_ids[w.first:w.last], k.group_ids[w.first:w.last], k.acct_session_ids[w.first:w.last],
    k.auth_method_ids[w.first:w.last], k.package_ids[w.first:w.last], k.mac_category_ids[w.first:w.last], k.account_ids[w.first:w.last],
    k.voucher_ids[w.first:w.last], k.device_ids[w.first:w.last], k.guest_ids[w.first:w.last], k.identifiers[w.first:w.last],
    k.usernames[w.first:w.last], k.mac_addresses[w.first:w.last], k.calling_stations[w.first:w.last], k.ips[w.first:w.last],
    k.ipv6s[w.first:w.last], k.started_ats[w.first:w.last], k.last_seen_after[w.first:w.last], k.stopped_after[w.first:w.last],
    k.created_after[w.first:w.last], k.accepted_after[w.first:w.last], k.ends_after[w.first:w.last],
    k.disconnect_asked_after[w.first:w.last], k.disconnect_agreed_after[w.first:w.last], k.disconnect_unknown_after[w.first:w.last],
    k.seconds[w.first:w.last], k.bytes_up[w.first:w.last], k.bytes_down[w.first:w.last], k.termination_causes[w.first:w.last],
    k.stops_inferred[w.first:w.last], k.disconnect_for[w.first:w.last], k.authorisation_ids[w.first:w.last], k.only_days[w.first:w.last],
    k.days[w.first:w.last], k.terms[w.first:w.last], k.box_sessions[w.first:w.last])
    as u(id, gateway_id, group_id, acct_session_id, auth_method_id, package_id, mac_category_id, account_id, voucher_id, device_id,
      guest_id, identifier, username, mac_address, calling_station, ip, ipv6, started_at, last_seen_after, stopped_after,
      created_after, accepted_after, ends_after, disconnect_asked_after, disconnect_agreed_after, disconnect_unknown_after, seconds,
      bytes_up, bytes_down, termination_cause, stop_inferred, disconnect_for, authorisation_id, only_day, days, terms, box_session)
  where k.began_at < until and k.over_at >= since and k.began_at <= began_until and k.over_at >= began_since
    and (of_guests is null or k.guest_ids && of_guests) and (of_vouchers is null or k.voucher_ids && of_vouchers)
$function$
;

grant execute on function sessions_of_packs(timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,bigint[],bigint[]) to foyer_app;
