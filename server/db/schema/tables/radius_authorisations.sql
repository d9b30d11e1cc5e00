-- Written by `npm run tables` from what the migrations made, never by hand.

create table radius_authorisations (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer,
  property_id integer,
  auth_method_id integer,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  identifier text,
  mac_address macaddr,
  accepted boolean not null,
  reason text not null,
  created_at timestamp with time zone not null default now(),
  guest_id bigint,
  package_id integer,
  ends_at timestamp with time zone,
  class_of bigint,
  search text not null generated always as (search_text((((((' '::text || COALESCE(identifier, ''::text)) || ' '::text) || COALESCE((mac_address)::text, ''::text)) || search_hex(identifier)) || search_hex((mac_address)::text)))) stored,
  guessed_at text,
  fitted boolean not null default false,
  trial_id integer default app_trial_id(),
  constraint radius_authorisations_pkey PRIMARY KEY (customer_id, id),
  constraint radius_authorisations_reason CHECK ((reason = ANY (ARRAY['unknown_user'::text, 'in_dispute'::text, 'taken_back'::text, 'not_offered'::text, 'wrong_property'::text, 'let_again'::text, 'unconfirmed'::text, 'no_more_messages'::text, 'accepted'::text, 'gateway_disabled'::text, 'property_disabled'::text, 'device_unnamed'::text, 'device_blocked'::text, 'too_many_tries'::text, 'wrong_password'::text, 'unknown_device'::text, 'pass_over'::text, 'account_disabled'::text, 'device_disabled'::text, 'stay_over'::text, 'batch_disabled'::text, 'package_disabled'::text, 'not_yet_valid'::text, 'expired'::text, 'time_used_up'::text, 'data_used_up'::text, 'device_limit'::text]))) NOT VALID,
  constraint radius_authorisations_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint radius_authorisations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table radius_authorisations is 'Every answer given to somebody who wanted to get online, with its reason.';
comment on column radius_authorisations.identifier is 'What was typed or asked for; of a voucher the last four characters alone, once its code is sealed.';
comment on column radius_authorisations.reason is 'Why it was answered so, as server/admission says it.';
comment on column radius_authorisations.ends_at is 'When what was granted is over; null: it is not limited.';
comment on column radius_authorisations.class_of is 'The attempt whose Class this answer repeats; null: it has one of its own.';
comment on column radius_authorisations.guessed_at is 'The account, voucher or room whose secret was tried from a device that is unknown at the property or has tried too often, `account 5`.';
comment on column radius_authorisations.fitted is 'That secret was right, and the device had to wait all the same.';

CREATE INDEX radius_authorisations_counted ON public.radius_authorisations USING btree (customer_id, property_id) WHERE (trial_id IS NULL);
CREATE INDEX radius_authorisations_customer_id_account_id_id_idx ON public.radius_authorisations USING btree (customer_id, account_id, id DESC) WHERE ((NOT accepted) AND (account_id IS NOT NULL));
CREATE INDEX radius_authorisations_customer_id_auth_method_id_created_at_idx ON public.radius_authorisations USING btree (customer_id, auth_method_id, created_at DESC, id DESC);
CREATE INDEX radius_authorisations_customer_id_class_of_idx ON public.radius_authorisations USING btree (customer_id, class_of) WHERE (class_of IS NOT NULL);
CREATE INDEX radius_authorisations_customer_id_created_at_id_idx ON public.radius_authorisations USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX radius_authorisations_customer_id_device_id_id_idx ON public.radius_authorisations USING btree (customer_id, device_id, id DESC) WHERE ((NOT accepted) AND (device_id IS NOT NULL));
CREATE INDEX radius_authorisations_customer_id_guest_id_id_idx ON public.radius_authorisations USING btree (customer_id, guest_id, id DESC) WHERE ((NOT accepted) AND (guest_id IS NOT NULL));
CREATE INDEX radius_authorisations_customer_id_mac_address_created_at_idx ON public.radius_authorisations USING btree (customer_id, mac_address, created_at DESC);
CREATE INDEX radius_authorisations_customer_id_property_id_created_at_id_idx ON public.radius_authorisations USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX radius_authorisations_customer_id_reason_created_at_id_idx ON public.radius_authorisations USING btree (customer_id, reason, created_at DESC, id DESC) WHERE (reason <> 'accepted'::text);
CREATE INDEX radius_authorisations_customer_id_search_customer_id1_idx ON public.radius_authorisations USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX radius_authorisations_customer_id_voucher_id_id_idx ON public.radius_authorisations USING btree (customer_id, voucher_id, id DESC) WHERE ((NOT accepted) AND (voucher_id IS NOT NULL));
CREATE INDEX radius_authorisations_guessed ON public.radius_authorisations USING btree (customer_id, guessed_at, created_at) WHERE (guessed_at IS NOT NULL);
CREATE INDEX radius_authorisations_refused_at_property ON public.radius_authorisations USING btree (customer_id, property_id, created_at) WHERE (NOT accepted);
CREATE INDEX radius_authorisations_refused_device ON public.radius_authorisations USING btree (customer_id, mac_address, created_at) WHERE (NOT accepted);
CREATE INDEX radius_authorisations_trial_id_idx ON public.radius_authorisations USING btree (trial_id) WHERE (trial_id IS NOT NULL);

alter table radius_authorisations enable row level security;
alter table radius_authorisations force row level security;

create policy app_sees_its_customer on radius_authorisations for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on radius_authorisations for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on radius_authorisations for all to foyer_app using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.radius_authorisations FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant insert, select on radius_authorisations to foyer_app;
