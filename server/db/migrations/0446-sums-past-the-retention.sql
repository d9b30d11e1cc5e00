-- Sums past the retention: what reports count of days whose single sessions are gone.

-- Single sessions that began before this moment may be gone. Null: none are.
alter table customers add column sessions_kept_since timestamptz;

-- What is left of guest_days: on how many guests of a property's day, by all the ways they signed in on it, and how many of them were new.
create table guest_day_sums (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  day date not null,
  auth_method_ids integer[] not null,
  guests integer not null,
  new_guests integer not null,
  unique (customer_id, id),
  unique (customer_id, property_id, day, auth_method_ids),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create index on guest_day_sums (customer_id, day);
select make_tenant_table('guest_day_sums');
