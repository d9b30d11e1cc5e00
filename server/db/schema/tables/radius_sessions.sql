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
comment on column radius_sessions.session_key is 'Acct-Session-Id and the gateway''s name: what its reports are matched by. `erased` and its id once its guest is erased.';
comment on column radius_sessions.generation is 'How often its gateway had begun to count its sessions from 1 again when this one began: the same key is another session then.';
comment on column radius_sessions.identifier is 'What the guest signed in with, as lists show it; of a voucher the last four characters alone, once its code is sealed.';
comment on column radius_sessions.mac_address is 'Of the device; a random one once its guest is erased.';
comment on column radius_sessions.ip is 'The newest IPv4 address; session_addresses has all of them.';
comment on column radius_sessions.last_seen_at is 'When its gateway last reported it.';
comment on column radius_sessions.seconds is 'Time online, the highest that was reported.';
comment on column radius_sessions.bytes_up is 'From the guest, the highest that was reported.';
comment on column radius_sessions.bytes_down is 'To the guest, the highest that was reported.';
comment on column radius_sessions.termination_cause is 'Acct-Terminate-Cause of its last report, or why we ended it.';
comment on column radius_sessions.stop_inferred is 'Nobody reported its end: it was given up when nothing was heard of it any more.';
comment on column radius_sessions.authorisation_id is 'The attempt in radius_authorisations that let it in.';
comment on column radius_sessions.username is 'The User-Name of its reports.';
comment on column radius_sessions.days is 'By local day the highest counters that were reported on it, {day: [seconds, bytes up, bytes down]}, counted from its beginning: a day''s own part is what it adds to the day before.';
comment on column radius_sessions.ends_at is 'When its time is over by what it was let in with; null: it is not limited.';
comment on column radius_sessions.disconnect_asked_at is 'When we wanted it ended.';
comment on column radius_sessions.disconnect_agreed_at is 'When its gateway agreed to end it; its last report may still come.';
comment on column radius_sessions.disconnect_for is 'Why we wanted it ended, as its termination cause says then.';
comment on column radius_sessions.calling_station is 'The device as its gateway writes it, for requests to the gateway.';
comment on column radius_sessions.disconnect_unknown_at is 'When its gateway last said that it knows no such session.';
comment on column radius_sessions.ipv6 is 'The IPv6 addresses and prefixes that it has now.';
comment on column radius_sessions.terms is 'Of the package when it was let in, {speed_mbps, volume_gb, session_time_hrs}; null: as the package is now.';
comment on column radius_sessions.accepted_at is 'When that attempt was answered.';
comment on column radius_sessions.trial_id is 'The simulated gateway of the trial that it belongs to; it goes with the trial.';
comment on column radius_sessions.box_session is 'The name by which the box takes requests about it, where that is not Acct-Session-Id.';
comment on column radius_sessions.reported_from is 'Where its last report came from, by RADIUS. Empty once it has ended, or where nothing has come since this column is there.';

CREATE INDEX radius_sessions_begun ON public.radius_sessions USING btree (customer_id, started_at, id);
CREATE INDEX radius_sessions_begun_at_property ON public.radius_sessions USING btree (customer_id, property_id, started_at, id);
CREATE INDEX radius_sessions_counted ON public.radius_sessions USING btree (customer_id, property_id) WHERE (trial_id IS NULL);
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
