-- Written by `npm run tables` from what the migrations made, never by hand.

create table unregistered_gateways (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  address inet,
  nas_identifier text,
  mac_address macaddr,
  last_seen_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  why text not null default 'asks'::text,
  gateway_type_id integer,
  gateway_id integer,
  constraint unregistered_gateways_pkey PRIMARY KEY (id),
  constraint unregistered_gateways_asked_key UNIQUE NULLS NOT DISTINCT (customer_id, property_id, address, nas_identifier, mac_address, why, gateway_type_id, gateway_id),
  constraint unregistered_gateways_customer_id_id_key UNIQUE (customer_id, id),
  constraint unregistered_gateways_why_check CHECK ((why = ANY (ARRAY['asks'::text, 'unknown'::text, 'not_genuine'::text, 'other_kind'::text, 'not_served'::text]))),
  constraint unregistered_gateways_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint unregistered_gateways_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint unregistered_gateways_gateway_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE,
  constraint unregistered_gateways_gateway_type_id_fkey FOREIGN KEY (gateway_type_id) REFERENCES gateway_types(id)
);

comment on table unregistered_gateways is 'Gateways that asked and are registered nowhere, from where one of the property asks; at most 20 of a property.';
comment on column unregistered_gateways.why is '`asks` by RADIUS; else what was wrong with a guest''s redirect.';

CREATE INDEX unregistered_gateways_customer_id_created_at_id_idx ON public.unregistered_gateways USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX unregistered_gateways_customer_id_property_id_created_at_id_idx ON public.unregistered_gateways USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX unregistered_gateways_gateway_idx ON public.unregistered_gateways USING btree (customer_id, gateway_id) WHERE (gateway_id IS NOT NULL);

alter table unregistered_gateways enable row level security;
alter table unregistered_gateways force row level security;

create policy app_sees_its_customer on unregistered_gateways for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on unregistered_gateways for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.unregistered_gateways FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on unregistered_gateways to foyer_app;
