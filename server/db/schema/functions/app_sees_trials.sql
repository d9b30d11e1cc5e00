-- Whether the present transaction sees what trials of portals write, by the setting app.trials. Asked by the policies of the tables that
-- keep such rows; see_trials sets it.

CREATE OR REPLACE FUNCTION public.app_sees_trials()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(current_setting('app.trials'::text, true), ''::text) = 'seen'::text)
;

grant execute on function app_sees_trials() to foyer_app;
