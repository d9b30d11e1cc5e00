-- Written by `npm run tables` from what the migrations made, never by hand.

create table marketing_members (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  marketing_integration_id integer not null,
  guest_id bigint,
  subscriber_key text not null,
  consent_record_id bigint,
  state text not null default 'waiting'::text,
  reason text,
  attempts integer not null default 0,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone,
  provider_state text,
  returns boolean not null default false,
  sent_as text,
  refused_at timestamp with time zone,
  constraint marketing_members_pkey PRIMARY KEY (id),
  constraint marketing_members_customer_id_id_key UNIQUE (customer_id, id),
  constraint marketing_members_customer_id_marketing_integration_id_gues_key UNIQUE (customer_id, marketing_integration_id, guest_id),
  constraint marketing_members_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'unsubscribed'::text, 'leaving'::text]))),
  constraint marketing_members_customer_id_consent_record_id_fkey FOREIGN KEY (customer_id, consent_record_id) REFERENCES consent_records(customer_id, id) ON DELETE SET NULL (consent_record_id),
  constraint marketing_members_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint marketing_members_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE SET NULL (guest_id),
  constraint marketing_members_customer_id_marketing_integration_id_fkey FOREIGN KEY (customer_id, marketing_integration_id) REFERENCES marketing_integrations(customer_id, id) ON DELETE CASCADE
);

comment on table marketing_members is 'How far each guest who agreed has come on the way to an audience. An erased guest leaves the key that the provider knows them by, until they are erased there.';
comment on column marketing_members.subscriber_key is 'What the provider knows the guest by; it stays when they are erased here, until they are erased there.';
comment on column marketing_members.state is '`leaving`: to be taken out at the provider; `refused`: it does not take them.';
comment on column marketing_members.due_at is 'When it is tried next; null: as soon as it waits.';
comment on column marketing_members.provider_state is 'How the provider knows them, in its own words.';
comment on column marketing_members.returns is 'They left, and agreed again.';
comment on column marketing_members.sent_as is 'A digest of the names that were sent.';
comment on column marketing_members.refused_at is 'When the provider refused to take out somebody who withdrew; it is asked again once their consent or the connection has changed.';

CREATE INDEX marketing_members_customer_id_consent_record_id_idx ON public.marketing_members USING btree (customer_id, consent_record_id);
CREATE INDEX marketing_members_customer_id_created_at_id_idx ON public.marketing_members USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX marketing_members_customer_id_guest_id_idx ON public.marketing_members USING btree (customer_id, guest_id);
CREATE INDEX marketing_members_customer_id_marketing_integration_id_crea_idx ON public.marketing_members USING btree (customer_id, marketing_integration_id, created_at DESC, id DESC);
CREATE INDEX marketing_members_customer_id_marketing_integration_id_due__idx ON public.marketing_members USING btree (customer_id, marketing_integration_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX marketing_members_customer_id_marketing_integration_id_stat_idx ON public.marketing_members USING btree (customer_id, marketing_integration_id, state, id);
CREATE INDEX marketing_members_customer_id_marketing_integration_id_subs_idx ON public.marketing_members USING btree (customer_id, marketing_integration_id, subscriber_key);

alter table marketing_members enable row level security;
alter table marketing_members force row level security;

create policy app_sees_its_customer on marketing_members for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on marketing_members for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.marketing_members FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on marketing_members to foyer_app;
