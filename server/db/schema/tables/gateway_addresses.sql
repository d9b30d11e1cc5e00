-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateway_addresses (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  address inet not null,
  since timestamp with time zone not null default now(),
  proven_at timestamp with time zone not null default now(),
  constraint gateway_addresses_pkey PRIMARY KEY (customer_id, id),
  constraint gateway_addresses_customer_id_gateway_id_address_key UNIQUE (customer_id, gateway_id, address),
  constraint gateway_addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint gateway_addresses_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE
);

comment on table gateway_addresses is 'From which addresses each gateway has shown that it knows its secret. Elsewhere its name and address are claims.';
comment on column gateway_addresses.since is 'When the first one did.';
comment on column gateway_addresses.proven_at is 'When a signed packet last came from there, to the hour.';

CREATE INDEX gateway_addresses_address_idx ON public.gateway_addresses USING btree (address);

alter table gateway_addresses enable row level security;
alter table gateway_addresses force row level security;

create policy app_sees_its_customer on gateway_addresses for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on gateway_addresses for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.gateway_addresses FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on gateway_addresses to foyer_app;
