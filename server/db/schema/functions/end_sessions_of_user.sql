-- Written by `npm run tables` from what the migrations made, never by hand.

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
