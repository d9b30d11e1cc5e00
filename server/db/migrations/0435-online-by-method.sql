-- The most online at once in an hour among those who signed in by some methods alone: a number for each combination of the methods that
-- were there, since peaks cannot be added up. A key is the sum of 2^(method - 1). Null where an hour was counted before this was kept.

alter table property_hours add column online_by_methods jsonb;

-- The most online of an hour among the methods in `asked`, a sum of 2^(method - 1): of a combination that lies within it.
create function online_among(by_methods jsonb, everybody integer, asked integer) returns integer language sql immutable parallel safe as $$
  select case when by_methods is null then everybody else coalesce(
    (select max(k.value::integer) from jsonb_each_text(by_methods) as k where k.key::integer & ~asked = 0), 0) end
$$;
grant execute on function online_among(jsonb, integer, integer) to foyer_app;
