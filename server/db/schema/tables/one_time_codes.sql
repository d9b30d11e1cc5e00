-- Written by `npm run tables` from what the migrations made, never by hand.

create table one_time_codes (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  portal_id integer,
  property_id integer,
  channel text not null,
  address text not null,
  code_hash bytea not null,
  mac_address macaddr,
  attempts integer not null default 0,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  delivery text,
  created_at timestamp with time zone not null default now(),
  guest_id bigint,
  gateway_id integer,
  token_hash bytea,
  trial_id integer default app_trial_id(),
  constraint one_time_codes_pkey PRIMARY KEY (id),
  constraint one_time_codes_customer_id_id_key UNIQUE (customer_id, id),
  constraint one_time_codes_token_hash_key UNIQUE (token_hash),
  constraint one_time_codes_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text]))),
  constraint one_time_codes_delivery_check CHECK ((delivery = ANY (ARRAY['queued'::text, 'sent'::text, 'delivered'::text, 'failed'::text]))),
  constraint one_time_codes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint one_time_codes_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE,
  constraint one_time_codes_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE CASCADE,
  constraint one_time_codes_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE CASCADE,
  constraint one_time_codes_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table one_time_codes is 'Codes sent by text message or e-mail: a keyed hash, ten minutes, five tries, one alive for each address.';
comment on column one_time_codes.code_hash is 'A keyed hash of the code.';
comment on column one_time_codes.attempts is 'Codes that were tried; after five it is over.';
comment on column one_time_codes.token_hash is 'SHA-256 of the key in the link that confirms the same address.';

CREATE INDEX one_time_codes_customer_id_channel_address_created_at_idx ON public.one_time_codes USING btree (customer_id, channel, address, created_at DESC);
CREATE INDEX one_time_codes_customer_id_gateway_id_idx ON public.one_time_codes USING btree (customer_id, gateway_id);
CREATE INDEX one_time_codes_customer_id_guest_id_id_idx ON public.one_time_codes USING btree (customer_id, guest_id, id DESC);
CREATE INDEX one_time_codes_customer_id_portal_id_idx ON public.one_time_codes USING btree (customer_id, portal_id);
CREATE INDEX one_time_codes_customer_id_property_id_idx ON public.one_time_codes USING btree (customer_id, property_id);
CREATE INDEX one_time_codes_expires_at_idx ON public.one_time_codes USING btree (expires_at);

alter table one_time_codes enable row level security;
alter table one_time_codes force row level security;

create policy app_sees_its_customer on one_time_codes for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on one_time_codes for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on one_time_codes for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.one_time_codes FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on one_time_codes to foyer_app;
