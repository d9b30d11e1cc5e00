-- Written by `npm run tables` from what the migrations made, never by hand.

create table packed_sessions (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  began_at timestamp with time zone not null,
  over_at timestamp with time zone not null,
  session_ids bigint[] not null,
  gateway_ids integer[] not null,
  group_ids integer[] not null,
  acct_session_ids text[] not null,
  auth_method_ids integer[] not null,
  package_ids integer[] not null,
  mac_category_ids integer[] not null,
  account_ids integer[] not null,
  voucher_ids bigint[] not null,
  device_ids integer[] not null,
  guest_ids bigint[] not null,
  identifiers text[] not null,
  usernames text[] not null,
  mac_addresses macaddr[] not null,
  calling_stations text[] not null,
  ips inet[] not null,
  ipv6s text[] not null,
  started_ats timestamp with time zone[] not null,
  last_seen_after bigint[] not null,
  stopped_after bigint[] not null,
  created_after bigint[] not null,
  accepted_after bigint[] not null,
  ends_after bigint[] not null,
  disconnect_asked_after bigint[] not null,
  disconnect_agreed_after bigint[] not null,
  disconnect_unknown_after bigint[] not null,
  seconds bigint[] not null,
  bytes_up bigint[] not null,
  bytes_down bigint[] not null,
  termination_causes text[] not null,
  stops_inferred boolean[] not null,
  disconnect_for text[] not null,
  authorisation_ids bigint[] not null,
  only_days date[] not null,
  days jsonb[] not null,
  terms jsonb[] not null,
  box_sessions text[] not null,
  address_session_ids bigint[] not null,
  addresses inet[] not null,
  address_since_after bigint[] not null,
  address_until_after bigint[] not null,
  first_over_at timestamp with time zone,
  constraint packed_sessions_pkey PRIMARY KEY (customer_id, id),
  constraint packed_sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint packed_sessions_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table packed_sessions is 'Sessions that ended in former months: each row has some thousand of a property, an array for each column.';
comment on column packed_sessions.began_at is 'When the first of them began.';
comment on column packed_sessions.over_at is 'When the last of them was over.';
comment on column packed_sessions.session_ids is 'The ids they had in radius_sessions, in the order in which they began.';
comment on column packed_sessions.ipv6s is 'Addresses and prefixes, with blanks between.';
comment on column packed_sessions.last_seen_after is 'Microseconds after the beginning, as of all columns that end so.';
comment on column packed_sessions.authorisation_ids is 'Less the id of the session.';
comment on column packed_sessions.only_days is 'The day of a session that has no other, and all of its use.';
comment on column packed_sessions.days is 'Use by day, where that does not say it.';
comment on column packed_sessions.address_session_ids is 'Of the arrays that begin with address: the session of each address.';
comment on column packed_sessions.first_over_at is 'When the first of them to end was over; null: of rows from before it was kept.';

CREATE INDEX packed_sessions_customer_id_began_at_idx ON public.packed_sessions USING btree (customer_id, began_at);
CREATE INDEX packed_sessions_customer_id_property_id_began_at_idx ON public.packed_sessions USING btree (customer_id, property_id, began_at);

alter table packed_sessions enable row level security;
alter table packed_sessions force row level security;

create policy app_sees_its_customer on packed_sessions for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on packed_sessions for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.packed_sessions FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on packed_sessions to foyer_app;
