-- Looked up: the activity log tells who has asked whose an address was.

do $$
declare
  written constant text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'activity_action_check');
begin
  if position('''key_use''::text' in written) = 0 then raise exception 'the actions of the log are written in another way'; end if;
  alter table activity drop constraint activity_action_check;
  execute 'alter table activity add constraint activity_action_check '
    || replace(written, '''key_use''::text', '''key_use''::text, ''looked_up''::text');
end $$;
