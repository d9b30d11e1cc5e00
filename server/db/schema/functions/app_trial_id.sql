-- The simulated gateway of the trial in which the present transaction acts, from the setting app.trial_id; null: none. It is stamped on
-- what the trial writes, and while it is set all other rows stay as they are.

CREATE OR REPLACE FUNCTION public.app_trial_id()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.trial_id'::text, true), ''::text))::integer
;

grant execute on function app_trial_id() to foyer_app;
