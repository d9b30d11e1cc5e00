-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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
