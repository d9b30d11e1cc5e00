-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateways (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  gateway_type_id integer not null,
  name text,
  mac_address macaddr,
  ip_address inet,
  dns_name text,
  gateway_dns_setting text,
  username text,
  nas_identifier text not null default ('foyer-'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  counts_from_gateway_side boolean not null default false,
  last_seen_at timestamp with time zone,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  takes_unsigned boolean not null default false,
  disconnect_port integer not null default 3799,
  last_address inet,
  refused_at timestamp with time zone,
  refused_for text,
  boxes jsonb not null default '{}'::jsonb,
  asked_until timestamp with time zone,
  search text not null generated always as (search_text(((((((((((((((' '::text || COALESCE(name, ''::text)) || ' '::text) || COALESCE(dns_name, ''::text)) || ' '::text) || COALESCE((mac_address)::text, ''::text)) || ' '::text) || COALESCE(host(ip_address), ''::text)) || ' '::text) || nas_identifier) || search_hex(name)) || search_hex(dns_name)) || search_hex((mac_address)::text)) || search_hex(host(ip_address))) || search_hex(nas_identifier)))) stored,
  login_method text not null default 'post'::text,
  guests_seen_at timestamp with time zone,
  settings jsonb not null default '{}'::jsonb,
  silent_since timestamp with time zone,
  redirected_at timestamp with time zone,
  guests_sent_at timestamp with time zone,
  trial_id integer default app_trial_id(),
  portal_label text default "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 20),
  constraint gateways_pkey PRIMARY KEY (id),
  constraint gateways_customer_id_id_key UNIQUE (customer_id, id),
  constraint gateways_disconnect_port_check CHECK (((disconnect_port >= 1) AND (disconnect_port <= 65535))),
  constraint gateways_login_method_check CHECK ((login_method = ANY (ARRAY['get'::text, 'post'::text]))),
  constraint gateways_refused_for_check CHECK ((refused_for = ANY (ARRAY['wrong_secret'::text, 'unsigned'::text]))),
  constraint gateways_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint gateways_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint gateways_gateway_type_id_fkey FOREIGN KEY (gateway_type_id) REFERENCES gateway_types(id)
) with (fillfactor=50);

comment on table gateways is 'The boxes at properties, or the controllers of several, that ask who may go online.';
comment on column gateways.nas_identifier is 'How it names itself to RADIUS; unique in its customer.';
comment on column gateways.counts_from_gateway_side is 'Its counters are the gateway''s: what it received is what the guest sent.';
comment on column gateways.takes_unsigned is 'Old software that signs no access request: it is answered all the same.';
comment on column gateways.disconnect_port is 'The UDP port at which it takes our requests.';
comment on column gateways.last_address is 'Where its packets last came from.';
comment on column gateways.refused_for is 'Why its packets were last left unanswered.';
comment on column gateways.boxes is 'By name: what a box''s clock is behind ours, in milliseconds, since when that is in doubt, and when it last began anew.';
comment on column gateways.asked_until is 'Requests to it are paced over all nodes: the next packet goes out no sooner.';
comment on column gateways.silent_since is 'When it was last heard, while it counts as silent.';
comment on column gateways.redirected_at is 'When it sent a guest to the portal after it was last heard.';
comment on column gateways.guests_sent_at is 'When it last sent a guest to the portal.';
comment on column gateways.portal_label is 'The label of its own portal host under PORTAL_HOSTS.';

CREATE INDEX gateways_customer_id_created_at_id_idx ON public.gateways USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX gateways_customer_id_property_id_created_at_id_idx ON public.gateways USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX gateways_customer_id_search_customer_id1_idx ON public.gateways USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX gateways_ip_address_idx ON public.gateways USING btree (ip_address) WHERE (deleted_at IS NULL);
CREATE INDEX gateways_mac_address_idx ON public.gateways USING btree (mac_address) WHERE ((mac_address IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX gateways_mac_address_unique ON public.gateways USING btree (customer_id, mac_address) WHERE ((deleted_at IS NULL) AND (mac_address IS NOT NULL));
CREATE INDEX gateways_nas_identifier_idx ON public.gateways USING btree (nas_identifier) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX gateways_nas_identifier_unique ON public.gateways USING btree (customer_id, nas_identifier);
CREATE UNIQUE INDEX gateways_portal_label_unique ON public.gateways USING btree (portal_label);

alter table gateways enable row level security;
alter table gateways force row level security;

create policy app_sees_its_customer on gateways for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on gateways for all to foyer_owner using (true) with check (true);
create policy trials_refused on gateways for update to public using (true) with check (((( SELECT app_trial_id() AS app_trial_id) IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id))));
create policy trials_stand_apart on gateways for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER gateways_changed_states AFTER UPDATE ON public.gateways REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_gateways();
CREATE TRIGGER gateways_made_states AFTER INSERT ON public.gateways REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_gateways();
CREATE TRIGGER trials_change_their_own BEFORE DELETE ON public.gateways FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on gateways to foyer_app;
