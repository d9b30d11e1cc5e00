-- Written by `npm run tables` from what the migrations made, never by hand.

create table consent_records (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  guest_id bigint,
  portal_id integer,
  property_id integer,
  gateway_id integer,
  auth_method_id integer,
  purpose text not null,
  wording text not null,
  language text,
  method text not null,
  ip inet,
  mac_address macaddr,
  user_agent text,
  granted_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  withdrawn_via text,
  synced_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  terms_version integer,
  trial_id integer default app_trial_id(),
  constraint consent_records_pkey PRIMARY KEY (id),
  constraint consent_records_customer_id_id_key UNIQUE (customer_id, id),
  constraint consent_records_method_check CHECK ((method = ANY (ARRAY['checkbox'::text, 'double_opt_in'::text, 'api'::text, 'import'::text]))),
  constraint consent_records_purpose_check CHECK ((purpose = ANY (ARRAY['terms'::text, 'marketing_email'::text, 'marketing_sms'::text, 'profiling'::text]))),
  constraint consent_records_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint consent_records_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint consent_records_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE SET NULL (gateway_id),
  constraint consent_records_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE CASCADE,
  constraint consent_records_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE SET NULL (portal_id),
  constraint consent_records_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE SET NULL (property_id)
);

comment on table consent_records is 'What guests agreed to, with the exact words they saw. A withdrawal is a date on the row, never a deletion.';
comment on column consent_records.wording is 'The sentence that they agreed to, as they saw it.';
comment on column consent_records.confirmed_at is 'When the address was proven that it is about.';
comment on column consent_records.terms_version is 'The number of the portal''s terms; null: not of terms.';

CREATE INDEX consent_records_changed_idx ON public.consent_records USING btree (customer_id, GREATEST(created_at, confirmed_at, withdrawn_at)) WHERE (purpose = 'marketing_email'::text);
CREATE INDEX consent_records_customer_id_created_at_id_idx ON public.consent_records USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX consent_records_customer_id_gateway_id_idx ON public.consent_records USING btree (customer_id, gateway_id) WHERE (gateway_id IS NOT NULL);
CREATE INDEX consent_records_customer_id_guest_id_idx ON public.consent_records USING btree (customer_id, guest_id);
CREATE INDEX consent_records_customer_id_mac_address_idx ON public.consent_records USING btree (customer_id, mac_address) WHERE (mac_address IS NOT NULL);
CREATE INDEX consent_records_customer_id_portal_id_idx ON public.consent_records USING btree (customer_id, portal_id) WHERE (portal_id IS NOT NULL);
CREATE INDEX consent_records_customer_id_property_id_created_at_id_idx ON public.consent_records USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX consent_records_trial_id_idx ON public.consent_records USING btree (trial_id) WHERE (trial_id IS NOT NULL);

alter table consent_records enable row level security;
alter table consent_records force row level security;

create policy app_sees_its_customer on consent_records for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on consent_records for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on consent_records for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER consent_records_changed_events AFTER UPDATE ON public.consent_records REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_consent_events();
CREATE TRIGGER consent_records_made_events AFTER INSERT ON public.consent_records REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_consent_events();
CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.consent_records FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on consent_records to foyer_app;
