-- Trigger of a user who is disabled, deleted or moved to another owner: ends the sessions in which they act.

CREATE OR REPLACE FUNCTION public.end_sessions_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  delete from sessions where customer_id = new.customer_id and user_id = new.id;
  return null;
end $function$;
