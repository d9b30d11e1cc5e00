-- A second new secret within a day takes the place of none that a receiver may still know: one more is kept until its own day is over.

alter table webhook_secrets add column sealed_older bytea, add column older_until timestamptz;
grant select (older_until) on webhook_secrets to foyer_app;
comment on column webhook_secrets.sealed_older is 'The one before the former, while it still signs.';

create function webhook_signing(webhook integer)
returns table (place text, sealed bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select v.place, v.sealed from webhook_secrets s, lateral (values
    (1, 'sealed_secret', s.sealed_secret, 'infinity'),
    (2, 'sealed_former', s.sealed_former, s.former_until),
    (3, 'sealed_older', s.sealed_older, s.older_until)) v(rank, place, sealed, until)
  where s.customer_id = app_customer_id() and s.webhook_id = webhook and v.until > now() and v.sealed is not null
  order by v.rank
$$;
grant execute on function webhook_signing(integer) to foyer_app;
