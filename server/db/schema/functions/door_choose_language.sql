-- Keeps the language that a person has chosen; null: that of the browser.

CREATE OR REPLACE FUNCTION public.door_choose_language(login integer, chosen text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update logins set language = chosen where id = login
$function$;
