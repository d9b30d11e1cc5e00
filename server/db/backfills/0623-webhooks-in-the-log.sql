-- Takes addresses of webhooks out of the log but for their hosts: viewers read it.
-- table: activity
update activity set
    object_name = case object_type when 'due_work' then regexp_replace(object_name, 'https?://([^/?#]+).*', '\1')
      else coalesce(substring(object_name from '://([^/?#]+)'), object_name) end,
    before = before - 'url',
    after = case when before ? 'url' then after - 'url' || '{"url_changed": true}' else after - 'url' end
  where customer_id = $1 and id > $2 and id <= $3
    and (object_type = 'webhooks' and (object_name ~ '://' or after ? 'url') or object_type = 'due_work' and object_name ~ ' to https?://');
