-- Receivers of reports: who is no user of the customer confirms once, and whoever stops reports stops all of that customer's.

-- asked_at: when the question was sent last. stopped_at: a no, or a stop; it is final. goes_until: named before there was a question.
create table report_receivers (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  email text not null check (email = lower(email)),
  asked_at timestamptz,
  confirmed_at timestamptz,
  stopped_at timestamptz,
  goes_until timestamptz,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, email)
);
select make_tenant_table('report_receivers');
create index on report_receivers (customer_id)
  where asked_at is null and confirmed_at is null and stopped_at is null and goes_until is not null;

insert into report_receivers (customer_id, email, goes_until)
select distinct r.customer_id, lower(address), now() + interval '30 days'
from reports r, unnest(r.recipients) as address where r.deleted_at is null;
insert into report_receivers (customer_id, email, stopped_at)
select customer_id, email, min(created_at) from report_stops group by customer_id, email
on conflict (customer_id, email) do update set stopped_at = excluded.stopped_at;

-- Customers whose receivers from before have not been asked yet.
create function door_unasked_receivers(rows_max integer) returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct r.customer_id from report_receivers r
  join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.asked_at is null and r.confirmed_at is null and r.stopped_at is null and r.goes_until is not null
  limit rows_max
$$;

-- What the link of a receiver is about, which has been found to be ours; answer: `yes`, `no` or null to look. A no is final.
create function door_receiver(customer integer, address text, answer text) returns table (customer_name text, state text)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from customers c where c.id = customer and c.deleted_at is null) then return; end if;
  if answer is not null then
    insert into report_receivers as r (customer_id, email, confirmed_at, stopped_at)
      values (customer, lower(address), case answer when 'yes' then now() end, case answer when 'no' then now() end)
      on conflict (customer_id, email) do update set
        confirmed_at = coalesce(r.confirmed_at, excluded.confirmed_at), stopped_at = coalesce(r.stopped_at, excluded.stopped_at);
  end if;
  return query select c.name, case
      when r.stopped_at is not null or exists (
        select from report_stops s where s.customer_id = customer and s.email = lower(address)) then 'stopped'
      when r.confirmed_at is not null then 'confirmed' else 'unconfirmed' end
    from customers c left join report_receivers r on r.customer_id = c.id and r.email = lower(address) where c.id = customer;
end $$;

-- The domains in which the customer's editors have confirmed an address.
create function editors_domains() returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct split_part(l.email, '@', 2) from acting_users u join logins l on l.id = u.login_id and l.confirmed_at is not null
  where u.customer_id = app_customer_id() and u.role = 'editor' and u.group_id is null and u.property_id is null
$$;
revoke execute on function editors_domains() from public;
grant execute on function editors_domains() to foyer_app;
