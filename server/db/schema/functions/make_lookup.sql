-- For migrations: a look-up is read by the app's login, and never written.

CREATE OR REPLACE FUNCTION public.make_lookup(lookup regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('grant select on %s to foyer_app', lookup);
end $function$;
