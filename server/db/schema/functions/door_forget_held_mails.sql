-- Deletes mails of customers whose address nobody confirmed within held_s seconds, and links of confirmations that are over. Returns
-- whether more is left.

CREATE OR REPLACE FUNCTION public.door_forget_held_mails(held_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  gone integer;
begin
  delete from address_confirmations where expires_at < now();
  delete from outbox_mails m using (
    select o.id from outbox_mails o where o.held_at < now() - make_interval(secs => held_s) order by o.held_at limit rows_max) old
    where m.id = old.id;
  get diagnostics gone = row_count;
  return gone >= rows_max;
end $function$;
