-- Written by `npm run tables` from what the migrations made, never by hand.

create table outbox_texts (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  mobile_number text not null,
  text text not null,
  attempts integer not null default 0,
  good_until timestamp with time zone,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'other'::text,
  about_id integer,
  asked_by_user_id integer,
  asked_by_key_id integer,
  asked_right text,
  property_id integer,
  counted boolean not null default true,
  trial_id integer default app_trial_id(),
  sealed_text bytea,
  constraint outbox_texts_pkey PRIMARY KEY (id),
  constraint outbox_texts_customer_id_id_key UNIQUE (customer_id, id),
  constraint outbox_texts_customer_id_asked_by_key_id_fkey FOREIGN KEY (customer_id, asked_by_key_id) REFERENCES api_keys(customer_id, id) ON DELETE CASCADE,
  constraint outbox_texts_customer_id_asked_by_user_id_fkey FOREIGN KEY (customer_id, asked_by_user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE,
  constraint outbox_texts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint outbox_texts_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table outbox_texts is 'Text messages, written in the transaction of what causes them and sent as due work.';
comment on column outbox_texts.mobile_number is 'In E.164.';
comment on column outbox_texts.good_until is 'Of the code in it: it is not sent later.';
comment on column outbox_texts.asked_right is 'The right by which it was asked for; asked again when it goes.';
comment on column outbox_texts.counted is 'Against the customer''s limits; what waits for its turn is counted when that comes.';
comment on column outbox_texts.sealed_text is 'The text, until it is sent or given up, bound to the number; `text` then stands for it.';

CREATE INDEX outbox_texts_created_at_idx ON public.outbox_texts USING btree (created_at);
CREATE INDEX outbox_texts_customer_id_asked_by_key_id_idx ON public.outbox_texts USING btree (customer_id, asked_by_key_id) WHERE (asked_by_key_id IS NOT NULL);
CREATE INDEX outbox_texts_customer_id_asked_by_user_id_idx ON public.outbox_texts USING btree (customer_id, asked_by_user_id) WHERE (asked_by_user_id IS NOT NULL);
CREATE INDEX outbox_texts_customer_id_created_at_idx ON public.outbox_texts USING btree (customer_id, created_at);
CREATE INDEX outbox_texts_customer_id_mobile_number_idx ON public.outbox_texts USING btree (customer_id, mobile_number);
CREATE INDEX outbox_texts_customer_id_property_id_idx ON public.outbox_texts USING btree (customer_id, property_id) WHERE (property_id IS NOT NULL);

alter table outbox_texts enable row level security;
alter table outbox_texts force row level security;

create policy app_sees_its_customer on outbox_texts for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on outbox_texts for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on outbox_texts for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.outbox_texts FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on outbox_texts to foyer_app;
