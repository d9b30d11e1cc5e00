-- Written by `npm run tables` from what the migrations made, never by hand.

create table session_addresses (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  radius_session_id bigint not null,
  address inet not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  constraint session_addresses_pkey PRIMARY KEY (customer_id, id),
  constraint session_addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint session_addresses_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint session_addresses_customer_id_radius_session_id_fkey FOREIGN KEY (customer_id, radius_session_id) REFERENCES radius_sessions(customer_id, id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

comment on table session_addresses is 'IP addresses that a session had, and since and until when.';
comment on column session_addresses.until is 'When another took its place; null: until the session''s end.';

CREATE INDEX session_addresses_customer_id_address_since_idx ON public.session_addresses USING btree (customer_id, address, since DESC);
CREATE INDEX session_addresses_customer_id_property_id_idx ON public.session_addresses USING btree (customer_id, property_id);
CREATE INDEX session_addresses_customer_id_radius_session_id_idx ON public.session_addresses USING btree (customer_id, radius_session_id);

alter table session_addresses enable row level security;
alter table session_addresses force row level security;

create policy app_sees_its_customer on session_addresses for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on session_addresses for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.session_addresses FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on session_addresses to foyer_app;
