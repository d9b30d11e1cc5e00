-- Customer hours: the sums of property hours over all that a customer has, so that a week by hours costs the same for one property
-- and for a thousand.

create table customer_hours (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  hour timestamptz not null,
  online integer not null,
  unique (customer_id, id),
  unique (customer_id, hour)
) with (fillfactor = 85);
select make_tenant_table('customer_hours');

insert into customer_hours (customer_id, hour, online)
select customer_id, hour, sum(online) from property_hours group by 1, 2;
