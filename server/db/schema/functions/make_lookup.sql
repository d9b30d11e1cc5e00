-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.make_lookup(lookup regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('grant select on %s to foyer_app', lookup);
end $function$;
