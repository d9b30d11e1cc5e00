-- Written by `npm run tables` from what the migrations made, never by hand.

create table access_points (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  mac_address macaddr not null,
  name text,
  accepted_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint access_points_pkey PRIMARY KEY (customer_id, id),
  constraint access_points_customer_id_gateway_id_mac_address_key UNIQUE (customer_id, gateway_id, mac_address),
  constraint access_points_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint access_points_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE
);

comment on table access_points is 'The boxes of a gateway that is a controller or a cloud, each known by its MAC address alone: accepted by a person, or a claim of a redirect or a packet.';
comment on column access_points.name is 'As redirects call it.';
comment on column access_points.accepted_at is 'Null: a claim that nobody has accepted yet.';

CREATE UNIQUE INDEX access_points_accepted_unique ON public.access_points USING btree (customer_id, mac_address) WHERE (accepted_at IS NOT NULL);
CREATE INDEX access_points_mac_address_idx ON public.access_points USING btree (mac_address) WHERE (accepted_at IS NOT NULL);

alter table access_points enable row level security;
alter table access_points force row level security;

create policy app_sees_its_customer on access_points for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on access_points for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.access_points FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on access_points to foyer_app;
