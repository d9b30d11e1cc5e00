-- Tries taken back: a code that nobody had time to look at is none of a challenge's five.

create function door_challenge_untried(token bytea) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update sign_in_challenges set tries = greatest(0, tries - 1) where token_hash = token
$$;
