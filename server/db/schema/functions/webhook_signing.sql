-- The sealed secrets that a webhook of the caller's customer signs with, the newest first, and former ones while they are good. Opened by
-- the node when it sends.

CREATE OR REPLACE FUNCTION public.webhook_signing(webhook integer)
 RETURNS TABLE(place text, sealed bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select v.place, v.sealed from webhook_secrets s, lateral (values
    (1, 'sealed_secret', s.sealed_secret, 'infinity'),
    (2, 'sealed_former', s.sealed_former, s.former_until),
    (3, 'sealed_older', s.sealed_older, s.older_until)) v(rank, place, sealed, until)
  where s.customer_id = app_customer_id() and s.webhook_id = webhook and v.until > now() and v.sealed is not null
  order by v.rank
$function$
;

grant execute on function webhook_signing(integer) to foyer_app;
