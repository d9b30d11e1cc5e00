-- Less for each login: signing in and guests get logins of their own, and what nothing calls goes.

-- door_count for what somebody does who is signed in: the app's login counts its own customer's tries, and nobody else's.
create function customer_count(bucket text, hits_max integer, window_s integer) returns integer
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select door_count('customer ' || app_customer_id() || ' ' || bucket, hits_max, window_s)
$$;
grant execute on function customer_count(text, integer, integer) to foyer_app;

-- door_change_password took its place.
drop function door_password(integer, text);
-- Sessions are ended by their owner (door_end), all of them (door_close_all), or with their user.
drop function door_close(bytea);
