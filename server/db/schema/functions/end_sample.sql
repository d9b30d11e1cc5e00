-- The sample of the caller's customer goes whole: every row of every table. Nobody comes into it from now on; what does not go within some
-- seconds goes by `door_end_samples`, which knows it by having no day. Returns whether there was one.

CREATE OR REPLACE FUNCTION public.end_sample()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  own integer := app_customer_id();
  sample integer;
begin
  perform from customers c where c.id = own for no key update;
  update customers c set sample_day = null where c.sample_of = own and c.sample_day is not null returning c.id into sample;
  if sample is null then return false; end if;
  perform set_config('app.customer_id', sample::text, true);
  update users u set active = false, deleted_at = now() where u.customer_id = sample and u.deleted_at is null;
  perform set_config('app.customer_id', own::text, true);
  perform clear_sample(sample, clock_timestamp() + interval '5 seconds');
  return true;
end $function$
;

grant execute on function end_sample() to foyer_app;
