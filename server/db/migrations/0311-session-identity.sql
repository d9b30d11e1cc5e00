-- Session identity: a session is known by its gateway, the name that the box gives itself and Acct-Session-Id. Several boxes may
-- stand behind one gateway: each has a clock and restarts of its own.

-- boxes: by name, what a box's clock is behind ours by, in milliseconds, since when that is in doubt, and when it last began anew.
alter table gateways add column boxes jsonb not null default '{}';
update gateways set boxes = jsonb_build_object(nas_identifier, jsonb_build_object('behind_ms', null, 'doubted_since', null,
  'restarted_at', (extract(epoch from restarted_at) * 1000)::bigint)) where restarted_at is not null and nas_identifier is not null;
alter table gateways drop column restarted_at;

-- session_key: Acct-Session-Id and the box's name. What may still be reported gets it; most boxes use the name we gave them.
update radius_sessions t set session_key = n.session_key, generation = n.generation
from (
  select s.customer_id, s.id, s.acct_session_id || chr(31) || g.nas_identifier as session_key,
    row_number() over (partition by s.customer_id, s.gateway_id, s.acct_session_id order by s.started_at, s.id) as generation
  from radius_sessions s join gateways g on g.customer_id = s.customer_id and g.id = s.gateway_id
  where coalesce(s.stopped_at, s.last_seen_at) > now() - interval '7 days' and g.nas_identifier is not null
    and s.session_key not like 'erased %'
) n
where t.customer_id = n.customer_id and t.id = n.id;
