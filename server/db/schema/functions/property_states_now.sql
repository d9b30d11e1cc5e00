-- The state of these properties of a customer: the worst that is wrong, since when where that is known, what to do, how many are online and
-- how many suffer. keep_property_states keeps it; drafts and disabled ones have none.

CREATE OR REPLACE FUNCTION public.property_states_now(customer integer, which integer[])
 RETURNS TABLE(property_id integer, word text, since timestamp with time zone, sentence text, online integer, suffering integer)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with places as (
    select p.id, p.group_id, portal_of_property(p.customer_id, p.portal_id, p.group_id) as portal_id, p.package_id, p.time_zone
    from properties p where p.customer_id = customer and p.id = any (which) and p.active and not p.draft and p.deleted_at is null),
  boxes as (
    select g.property_id, count(*) as boxes, count(g.last_seen_at) as heard, count(g.silent_since) as silent,
      min(g.silent_since) as silent_since, min(g.created_at) as made_at,
      array_agg(coalesce(g.name, g.nas_identifier) order by g.silent_since, g.id) filter (where g.silent_since is not null) as silent_names,
      array_agg(coalesce(g.name, g.nas_identifier) order by g.id) as names,
      min(g.refused_for) filter (where g.refused_at > app_now() - interval '1 day' and g.refused_at > coalesce(g.last_seen_at, '-infinity')
        and (g.last_seen_at is null or g.silent_since is not null)) as refused_for
    from gateways g where g.customer_id = customer and g.property_id = any (which) and g.active and g.deleted_at is null group by 1),
  there as (
    select s.property_id, count(*)::integer as online from radius_sessions s
    where s.customer_id = customer and s.property_id = any (which) and s.stopped_at is null group by 1),
  a_week_ago as (
    select h.property_id, h.online from property_hours h where h.customer_id = customer and h.property_id = any (which)
      and h.hour = date_trunc('hour', app_now(), 'UTC') - interval '7 days'),
  -- Devices whose guest has not seen the sign-in page yet do not count.
  tried as (
    select a.property_id, count(*) as tries, count(*) filter (where not a.accepted) as refused,
      count(distinct coalesce(a.mac_address::text, a.identifier)) filter (where not a.accepted)::integer as devices
    from radius_authorisations a
    where a.customer_id = customer and a.property_id = any (which) and a.created_at > app_now() - interval '1 hour'
      and a.reason <> 'unknown_device' group by 1),
  links as (
    select l.property_id, min(l.since) as since, string_agg(l.name, ', ' order by l.since, l.name) as names
    from links_down(customer, which) l group by 1),
  codes as (
    select b.property_id, sum(codes_left(b)) as left from voucher_batches b
    where b.customer_id = customer and b.property_id = any (which) and b.active and b.deleted_at is null
      and (b.expires_at is null or b.expires_at > app_now()) group by 1),
  nights as (
    select n.property_id, n.kept_until, local_day(app_now(), p.time_zone) - 1 - n.kept_until as late
    from night_ledgers n join places p on p.id = n.property_id
    where n.customer_id = customer and n.kept_until + 2 <= local_day(app_now() - interval '1 hour', p.time_zone)),
  judged as (
    select p.id, p.time_zone, o.name as page_off, o.draft as page_is_draft, coalesce(t.online, 0) as online,
      w.online as online_before, b, r, l, n,
      array_remove(array[case when b.property_id is null then 'gateway' end, case when p.portal_id is null then 'portal' end,
        case when p.package_id is null then 'package' end], null) as lacks,
      case when b.heard = 0 then 'never_heard' when b.silent > 0 then 'silent'
        when r.tries >= 10 and r.refused >= 0.3 * r.tries then 'refusing' when l.property_id is not null then 'link_down'
        when b.property_id is null or p.portal_id is null or p.package_id is null or o.id is not null then 'incomplete'
        when c.left = 0 and not exists (select from voucher_batches g where g.customer_id = customer and g.group_id = p.group_id
          and g.property_id is null and g.active and g.deleted_at is null and (g.expires_at is null or g.expires_at > app_now())
          and codes_left(g) > 0) then 'codes_out'
        when n.property_id is not null then 'nights_late' else 'served' end as word
    from places p left join portals o on o.customer_id = customer and o.id = p.portal_id and o.status <> 'active'
    left join boxes b on b.property_id = p.id left join there t on t.property_id = p.id
    left join a_week_ago w on w.property_id = p.id left join tried r on r.property_id = p.id left join links l on l.property_id = p.id
    left join codes c on c.property_id = p.id left join nights n on n.property_id = p.id)
  select j.id, j.word,
    case j.word when 'never_heard' then (j.b).made_at when 'silent' then (j.b).silent_since when 'link_down' then (j.l).since
      when 'nights_late' then day_begins((j.n).kept_until + 2, j.time_zone) end,
    case j.word
      when 'never_heard' then some_gateways((j.b).names) || case (j.b).refused_for
        when 'wrong_secret' then ' asks with another secret than ours. Make a new secret on its page and enter it there.'
        when 'unsigned' then ' does not sign what it asks. Update its software, or mark it as old on its page.'
        else case when (j.b).boxes = 1 then ' has' else ' have' end || ' never been heard from. Set it up as its page says.' end
      when 'silent' then some_gateways((j.b).silent_names) || case (j.b).refused_for
        when 'wrong_secret' then ' asks with another secret than ours. Make a new secret on its page and enter it there.'
        when 'unsigned' then ' does not sign what it asks any more. Mark it as old on its page, or set it up again.'
        else case when (j.b).silent = 1 then ' has' else ' have' end
          || ' not been heard from. Check power and line there: guests behind it cannot get online.' end
      when 'refusing' then format('%s of %s sign-ins of the last hour were refused. The sign-in attempts say why.',
        (j.r).refused, (j.r).tries)
      when 'link_down' then format('The link to %s is down: arrivals and departures are not known. Its page says why.', (j.l).names)
      when 'incomplete' then case when cardinality(j.lacks) = 0
        then format('Its portal %s is %s: guests are told that there is no page. Activate it, or choose another one.', j.page_off,
          case when j.page_is_draft then 'a draft' else 'disabled' end)
        else format('It has no %s. Choose one, so that guests get online.',
          regexp_replace(array_to_string(j.lacks, ', no '), ', (no \w+)$', ' and \1')) end
      when 'codes_out' then 'All of its voucher codes have been used or taken back. Make more.'
      when 'nights_late' then format('%s not recorded yet, so they cannot be billed. The server''s log says why.',
        case when (j.n).late = 1 then '1 night is' else (j.n).late || ' nights are' end)
      else 'Guests can get online.' end,
    j.online,
    case j.word when 'silent' then greatest(j.online, coalesce(j.online_before, 0)) when 'refusing' then (j.r).devices else 0 end
  from judged j
$function$
;

grant execute on function property_states_now(integer,integer[]) to foyer_app;
