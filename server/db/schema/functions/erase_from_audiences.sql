-- Has guests of the caller's customer, who are being erased, erased in audiences, too: the key by which each is known there stays, as
-- somebody who leaves, and work is queued where the connection is in use. Called by erase_guests. A call that sends one of them may be
-- under way: it is waited for.

CREATE OR REPLACE FUNCTION public.erase_from_audiences(guests bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
begin
  -- Who was never sent is not there.
  delete from marketing_members where customer_id = customer and guest_id = any (erase_from_audiences.guests)
    and state = 'waiting' and attempts = 0 and sent_at is null;
  with leaving as (
    update marketing_members set state = 'leaving', reason = null, refused_at = null, attempts = 0,
        due_at = case when state in ('waiting', 'sent') and attempts > 0 and due_at > now() then now() + interval '2 minutes' end
      where customer_id = customer and guest_id = any (erase_from_audiences.guests)
      returning id, marketing_integration_id, due_at)
  insert into due_work (customer_id, kind, about_id, next_at, lane)
    select customer, 'audience_erasure', l.id, coalesce(l.due_at, now()), 'marketing ' || i.id
    from leaving l join marketing_integrations i on i.customer_id = customer and i.id = l.marketing_integration_id
      and i.active and i.deleted_at is null and not i.needs_reconnect
    order by l.id
    on conflict (customer_id, kind, about_id) do nothing;
end $function$;
