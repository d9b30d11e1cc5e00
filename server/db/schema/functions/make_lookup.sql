-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.make_lookup(lookup regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('grant select on %s to foyer_app', lookup);
end $function$;
