-- Written by `npm run tables` from what the migrations made, never by hand.

create table radius_sessions (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  property_id integer not null,
  group_id integer,
  session_key text not null,
  generation integer not null default 1,
  acct_session_id text not null,
  auth_method_id integer,
  package_id integer,
  mac_category_id integer,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  identifier text,
  mac_address macaddr,
  ip inet,
  started_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  seconds bigint not null default 0,
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  termination_cause text,
  stop_inferred boolean not null default false,
  created_at timestamp with time zone not null default now(),
  authorisation_id bigint,
  username text,
  days jsonb not null default '{}'::jsonb,
  ends_at timestamp with time zone,
  disconnect_asked_at timestamp with time zone,
  disconnect_agreed_at timestamp with time zone,
  disconnect_for text,
  calling_station text,
  disconnect_unknown_at timestamp with time zone,
  ipv6 text[] not null default '{}'::text[],
  terms jsonb,
  search text not null generated always as (search_text((((((' '::text || COALESCE(identifier, ''::text)) || ' '::text) || COALESCE((mac_address)::text, ''::text)) || search_hex(identifier)) || search_hex((mac_address)::text)))) stored,
  accepted_at timestamp with time zone,
  trial_id integer default app_trial_id(),
  box_session text,
  reported_from inet,
  constraint radius_sessions_pkey PRIMARY KEY (customer_id, id),
  constraint radius_sessions_customer_id_gateway_id_session_key_generati_key UNIQUE (customer_id, gateway_id, session_key, generation),
  constraint radius_sessions_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint radius_sessions_customer_id_account_id_fkey FOREIGN KEY (customer_id, account_id) REFERENCES accounts(customer_id, id) ON DELETE SET NULL (account_id),
  constraint radius_sessions_customer_id_device_id_fkey FOREIGN KEY (customer_id, device_id) REFERENCES devices(customer_id, id) ON DELETE SET NULL (device_id),
  constraint radius_sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint radius_sessions_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE,
  constraint radius_sessions_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE SET NULL (guest_id),
  constraint radius_sessions_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint radius_sessions_customer_id_voucher_id_fkey FOREIGN KEY (customer_id, voucher_id) REFERENCES vouchers(customer_id, id) ON DELETE SET NULL (voucher_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

comment on table radius_sessions is 'Times online, as gateways report them. Counters only grow, and a session that stopped is not opened again.';
comment on column radius_sessions.reported_from is 'Where its last report came from, by RADIUS. Empty once it has ended, or where nothing has come since this column is there.';

CREATE INDEX radius_sessions_begun ON public.radius_sessions USING btree (customer_id, started_at, id);
CREATE INDEX radius_sessions_begun_at_property ON public.radius_sessions USING btree (customer_id, property_id, started_at, id);
CREATE INDEX radius_sessions_customer_id_account_id_idx ON public.radius_sessions USING btree (customer_id, account_id) WHERE ((stopped_at IS NULL) AND (account_id IS NOT NULL));
CREATE INDEX radius_sessions_customer_id_auth_method_id_created_at_id_idx ON public.radius_sessions USING btree (customer_id, auth_method_id, created_at DESC, id DESC);
CREATE INDEX radius_sessions_customer_id_created_at_id_idx1 ON public.radius_sessions USING btree (customer_id, created_at DESC, id DESC) WHERE (stopped_at IS NULL);
CREATE INDEX radius_sessions_customer_id_guest_id_idx ON public.radius_sessions USING btree (customer_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX radius_sessions_customer_id_guest_id_idx1 ON public.radius_sessions USING btree (customer_id, guest_id) WHERE ((stopped_at IS NULL) AND (guest_id IS NOT NULL));
CREATE INDEX radius_sessions_customer_id_mac_address_started_at_idx ON public.radius_sessions USING btree (customer_id, mac_address, started_at DESC);
CREATE INDEX radius_sessions_customer_id_package_id_idx ON public.radius_sessions USING btree (customer_id, package_id) WHERE ((stopped_at IS NULL) AND (package_id IS NOT NULL));
CREATE INDEX radius_sessions_customer_id_property_id_created_at_id_idx1 ON public.radius_sessions USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (stopped_at IS NULL);
CREATE INDEX radius_sessions_customer_id_property_id_gateway_id_idx ON public.radius_sessions USING btree (customer_id, property_id, gateway_id) WHERE (stopped_at IS NULL);
CREATE INDEX radius_sessions_customer_id_search_customer_id1_idx ON public.radius_sessions USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX radius_sessions_customer_id_stopped_at_idx ON public.radius_sessions USING btree (customer_id, stopped_at) WHERE (stopped_at IS NOT NULL);
CREATE INDEX radius_sessions_customer_id_voucher_id_created_at_id_idx ON public.radius_sessions USING btree (customer_id, voucher_id, created_at DESC, id DESC) WHERE (voucher_id IS NOT NULL);
CREATE INDEX radius_sessions_made ON public.radius_sessions USING btree (customer_id, created_at, id);
CREATE INDEX radius_sessions_made_at_property ON public.radius_sessions USING btree (customer_id, property_id, created_at, id);
CREATE INDEX radius_sessions_of_account ON public.radius_sessions USING btree (customer_id, account_id, created_at, id) WHERE (account_id IS NOT NULL);
CREATE INDEX radius_sessions_of_device ON public.radius_sessions USING btree (customer_id, device_id, created_at, id) WHERE (device_id IS NOT NULL);
CREATE INDEX radius_sessions_trial_id_idx ON public.radius_sessions USING btree (trial_id) WHERE (trial_id IS NOT NULL);

alter table radius_sessions enable row level security;
alter table radius_sessions force row level security;

create policy app_sees_its_customer on radius_sessions for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on radius_sessions for all to foyer_owner using (true) with check (true);
create policy trials_refused on radius_sessions for update to public using (true) with check (((( SELECT app_trial_id() AS app_trial_id) IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id))));
create policy trials_stand_apart on radius_sessions for all to foyer_app using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE ON public.radius_sessions FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on radius_sessions to foyer_app;
