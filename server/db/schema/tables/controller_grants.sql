-- Written by `npm run tables` from what the migrations made, never by hand.

create table controller_grants (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  access_pass_id bigint not null,
  authorisation_id bigint not null,
  mac_address macaddr not null,
  sent jsonb not null,
  state text not null default 'waiting'::text,
  problem text,
  ends_at timestamp with time zone,
  granted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  counted_from double precision,
  bytes_up_before bigint not null default 0,
  bytes_down_before bigint not null default 0,
  constraint controller_grants_pkey PRIMARY KEY (id),
  constraint controller_grants_customer_id_id_key UNIQUE (customer_id, id),
  constraint controller_grants_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'granted'::text, 'refused'::text, 'ended'::text]))),
  constraint controller_grants_customer_id_access_pass_id_fkey FOREIGN KEY (customer_id, access_pass_id) REFERENCES access_passes(customer_id, id) ON DELETE CASCADE,
  constraint controller_grants_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint controller_grants_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE
);

comment on table controller_grants is 'Guests whom a gateway that is called is asked to let in, and what it answered.';
comment on column controller_grants.sent is 'What the redirect said that the controller is told again.';
comment on column controller_grants.state is '`waiting` until the controller has answered.';
comment on column controller_grants.ends_at is 'When what was granted is over.';
comment on column controller_grants.counted_from is 'When its present count began, by the controller''s clock.';
comment on column controller_grants.bytes_up_before is 'What its former counts had come to.';
comment on column controller_grants.bytes_down_before is 'What its former counts had come to.';

CREATE INDEX controller_grants_customer_id_access_pass_id_idx ON public.controller_grants USING btree (customer_id, access_pass_id);
CREATE INDEX controller_grants_customer_id_gateway_id_mac_address_idx ON public.controller_grants USING btree (customer_id, gateway_id, mac_address);

alter table controller_grants enable row level security;
alter table controller_grants force row level security;

create policy app_sees_its_customer on controller_grants for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on controller_grants for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.controller_grants FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on controller_grants to foyer_app;
