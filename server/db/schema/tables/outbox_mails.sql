-- Written by `npm run tables` from what the migrations made, never by hand.

create table outbox_mails (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  recipient_name text,
  recipient_email text not null,
  subject text not null,
  text text not null,
  html text,
  attempts integer not null default 0,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  held_at timestamp with time zone,
  message_key text,
  file_id integer,
  stop_url text,
  kind text not null default 'other'::text,
  about_id integer,
  good_until timestamp with time zone,
  asked_by_user_id integer,
  asked_by_key_id integer,
  asked_right text,
  property_id integer,
  counted boolean not null default true,
  trial_id integer default app_trial_id(),
  sealed_text bytea,
  constraint outbox_mails_pkey PRIMARY KEY (id),
  constraint outbox_mails_customer_id_id_key UNIQUE (customer_id, id),
  constraint outbox_mails_customer_id_message_key_key UNIQUE (customer_id, message_key),
  constraint outbox_mails_customer_id_asked_by_key_id_fkey FOREIGN KEY (customer_id, asked_by_key_id) REFERENCES api_keys(customer_id, id) ON DELETE CASCADE,
  constraint outbox_mails_customer_id_asked_by_user_id_fkey FOREIGN KEY (customer_id, asked_by_user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE,
  constraint outbox_mails_customer_id_file_id_fkey FOREIGN KEY (customer_id, file_id) REFERENCES files(customer_id, id),
  constraint outbox_mails_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint outbox_mails_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table outbox_mails is 'Mails, written in the transaction of what causes them and sent as due work.';
comment on column outbox_mails.held_at is 'Since when it waits for its customer''s address to be confirmed; null: it does not.';
comment on column outbox_mails.message_key is 'A mail that has one is written once, and known by it wherever it arrives a second time.';
comment on column outbox_mails.stop_url is 'Where its recipient ends mails of this kind.';
comment on column outbox_mails.about_id is 'The record it is about; its kind says of which table.';
comment on column outbox_mails.good_until is 'Of a link in it: it is not sent later.';
comment on column outbox_mails.asked_by_user_id is 'Who asked for it; asked again when it goes. Null: nobody did.';
comment on column outbox_mails.asked_right is 'The right by which it was asked for, `accounts:desk`; asked again when it goes.';
comment on column outbox_mails.counted is 'Against the customer''s limits; what waits for its turn is counted when that comes.';
comment on column outbox_mails.sealed_text is 'The text, until it is sent or given up, bound to the address; `text` then stands for it.';

CREATE INDEX outbox_mails_created_at_id_idx ON public.outbox_mails USING btree (created_at, id) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outbox_mails_customer_id_asked_by_key_id_idx ON public.outbox_mails USING btree (customer_id, asked_by_key_id) WHERE (asked_by_key_id IS NOT NULL);
CREATE INDEX outbox_mails_customer_id_asked_by_user_id_idx ON public.outbox_mails USING btree (customer_id, asked_by_user_id) WHERE (asked_by_user_id IS NOT NULL);
CREATE INDEX outbox_mails_customer_id_created_at_id_idx ON public.outbox_mails USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX outbox_mails_customer_id_file_id_idx ON public.outbox_mails USING btree (customer_id, file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX outbox_mails_customer_id_lower_idx ON public.outbox_mails USING btree (customer_id, lower(recipient_email));
CREATE INDEX outbox_mails_customer_id_property_id_idx ON public.outbox_mails USING btree (customer_id, property_id) WHERE (property_id IS NOT NULL);
CREATE INDEX outbox_mails_held_at_idx ON public.outbox_mails USING btree (held_at) WHERE (held_at IS NOT NULL);

alter table outbox_mails enable row level security;
alter table outbox_mails force row level security;

create policy app_sees_its_customer on outbox_mails for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on outbox_mails for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on outbox_mails for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.outbox_mails FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on outbox_mails to foyer_app;
