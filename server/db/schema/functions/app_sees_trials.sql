-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.app_sees_trials()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(current_setting('app.trials'::text, true), ''::text) = 'seen'::text)
;

grant execute on function app_sees_trials() to foyer_app;
