-- Not offered: a way to sign in that gateways offer and we do not, as an attempt's reason.
do $$
declare
  written constant text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'radius_authorisations_reason');
begin
  if position('''unknown_user''::text' in written) = 0 then raise exception 'the reasons of attempts are written in another way'; end if;
  alter table radius_authorisations drop constraint radius_authorisations_reason;
  execute 'alter table radius_authorisations add constraint radius_authorisations_reason '
    || replace(written, '''unknown_user''::text', '''unknown_user''::text, ''not_offered''::text');
end $$;
