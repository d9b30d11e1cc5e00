-- Quotas: what a customer has used of what it may do in a day or in an hour, counted with the work itself.

create table used_quotas (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  -- Such as `codes`, or `mails to` an address.
  quota text not null,
  used bigint not null,
  -- When counting begins anew.
  until timestamptz not null,
  unique (customer_id, quota),
  unique (customer_id, id)
) with (fillfactor = 70);
create index on used_quotas (until);
select make_tenant_table('used_quotas');

-- Housekeeping, called by a job.
create function door_forget_quotas() returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from used_quotas where until < now()
$$;
