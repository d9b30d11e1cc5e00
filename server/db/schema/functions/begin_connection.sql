-- Keeps what a user's consent at another company (OAuth) needs when it comes back: the hash of its state, and the sealed PKCE verifier.
-- Good for good_for_s seconds and once, by finish_connection; again is the integration that is connected anew.

CREATE OR REPLACE FUNCTION public.begin_connection(state bytea, person integer, what text, provider text, verifier bytea, again integer, good_for_s integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  delete from oauth_states where expires_at < now() - interval '1 day';
  insert into oauth_states (state_hash, customer_id, user_id, kind, integration_type, sealed_code_verifier, integration_id, expires_at)
    values (state, app_customer_id(), person, what, provider, verifier, again, now() + make_interval(secs => good_for_s));
end $function$
;

grant execute on function begin_connection(bytea,integer,text,text,bytea,integer,integer) to foyer_app;
