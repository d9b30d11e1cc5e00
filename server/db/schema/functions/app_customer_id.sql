-- The customer for whom the present transaction acts, from the setting app.customer_id; null: none, so that row security shows no rows.
-- Every policy asks it, and every function that works for the caller's customer.

CREATE OR REPLACE FUNCTION public.app_customer_id()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.customer_id'::text, true), ''::text))::integer
;

grant execute on function app_customer_id() to foyer_app;
