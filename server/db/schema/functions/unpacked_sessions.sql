-- The packed sessions of the present customer in whose rows any time is from since to until, and, where guests are named, one of theirs; with
-- the columns of radius_sessions, but those by which packets find their session and by which people search. Written so that PostgreSQL
-- puts it into the statement that asks.

CREATE OR REPLACE FUNCTION public.unpacked_sessions(since timestamp with time zone, until timestamp with time zone, of_guests bigint[])
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
  cross join lateral unnest(
    k.session_ids, k.gateway_ids, k.group_ids, k.acct_session_ids, k.auth_method_ids, k.package_ids, k.mac_category_ids, k.account_ids,
    k.voucher_ids, k.device_ids, k.guest_ids, k.identifiers, k.usernames, k.mac_addresses, k.calling_stations, k.ips, k.ipv6s,
    k.started_ats, k.last_seen_after, k.stopped_after, k.created_after, k.accepted_after, k.ends_after, k.disconnect_asked_after,
    k.disconnect_agreed_after, k.disconnect_unknown_after, k.seconds, k.bytes_up, k.bytes_down, k.termination_causes, k.stops_inferred,
    k.disconnect_for, k.authorisation_ids, k.only_days, k.days, k.terms, k.box_sessions)
    as u(id, gateway_id, group_id, acct_session_id, auth_method_id, package_id, mac_category_id, account_id, voucher_id, device_id,
      guest_id, identifier, username, mac_address, calling_station, ip, ipv6, started_at, last_seen_after, stopped_after,
      created_after, accepted_after, ends_after, disconnect_asked_after, disconnect_agreed_after, disconnect_unknown_after, seconds,
      bytes_up, bytes_down, termination_cause, stop_inferred, disconnect_for, authorisation_id, only_day, days, terms, box_session)
  where k.began_at < until and k.over_at >= since and (of_guests is null or k.guest_ids && of_guests)
$function$
;

grant execute on function unpacked_sessions(timestamp with time zone,timestamp with time zone,bigint[]) to foyer_app;
