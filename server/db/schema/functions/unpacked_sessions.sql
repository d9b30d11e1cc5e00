-- As sessions_of_packs, whenever they began. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.unpacked_sessions(since timestamp with time zone, until timestamp with time zone, of_guests bigint[])
 RETURNS TABLE(id bigint, customer_id integer, property_id integer, gateway_id integer, group_id integer, acct_session_id text, auth_method_id integer, package_id integer, mac_category_id integer, account_id integer, voucher_id bigint, device_id integer, guest_id bigint, identifier text, username text, mac_address macaddr, calling_station text, ip inet, ipv6 text[], started_at timestamp with time zone, last_seen_at timestamp with time zone, stopped_at timestamp with time zone, created_at timestamp with time zone, accepted_at timestamp with time zone, ends_at timestamp with time zone, disconnect_asked_at timestamp with time zone, disconnect_agreed_at timestamp with time zone, disconnect_unknown_at timestamp with time zone, seconds bigint, bytes_up bigint, bytes_down bigint, termination_cause text, stop_inferred boolean, disconnect_for text, authorisation_id bigint, days jsonb, terms jsonb, box_session text)
 LANGUAGE sql
 STABLE
AS $function$
  select * from sessions_of_packs(since, until, '-infinity', 'infinity', of_guests, null)
$function$
;

grant execute on function unpacked_sessions(timestamp with time zone,timestamp with time zone,bigint[]) to foyer_app;
