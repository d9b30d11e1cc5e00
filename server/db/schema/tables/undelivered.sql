-- Written by `npm run tables` from what the migrations made, never by hand.

create table undelivered (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  mail_id bigint,
  text_id bigint,
  channel text not null generated always as (
    CASE
        WHEN (mail_id IS NULL) THEN 'text'::text
        ELSE 'mail'::text
    END) stored,
  recipient text not null,
  recipient_name text,
  kind text not null,
  about_id integer,
  why text not null,
  attempts integer not null,
  written_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  search text not null generated always as (search_text(((recipient || ' '::text) || COALESCE(recipient_name, ''::text)))) stored,
  constraint undelivered_pkey PRIMARY KEY (id),
  constraint undelivered_customer_id_id_key UNIQUE (customer_id, id),
  constraint undelivered_check CHECK ((num_nonnulls(mail_id, text_id) = 1)),
  constraint undelivered_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'guest_sign_in'::text, 'voucher_codes'::text, 'how_to_sign_in'::text, 'guest_code'::text, 'report'::text, 'schedule_notice'::text, 'receiver_question'::text, 'password_reset'::text, 'address_confirmation'::text, 'sign_in_notice'::text, 'other'::text]))),
  constraint undelivered_why_check CHECK ((why = ANY (ARRAY['nobody'::text, 'refused'::text, 'unreachable'::text, 'late'::text, 'taken_back'::text]))),
  constraint undelivered_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint undelivered_customer_id_mail_id_fkey FOREIGN KEY (customer_id, mail_id) REFERENCES outbox_mails(customer_id, id) ON DELETE CASCADE,
  constraint undelivered_customer_id_text_id_fkey FOREIGN KEY (customer_id, text_id) REFERENCES outbox_texts(customer_id, id) ON DELETE CASCADE
);

comment on table undelivered is 'Mails and text messages that could not be delivered, without what they said.';

CREATE INDEX undelivered_customer_id_about_id_kind_idx ON public.undelivered USING btree (customer_id, about_id, kind) WHERE (deleted_at IS NULL);
CREATE INDEX undelivered_customer_id_created_at_id_idx ON public.undelivered USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX undelivered_customer_id_mail_id_idx ON public.undelivered USING btree (customer_id, mail_id) WHERE (mail_id IS NOT NULL);
CREATE INDEX undelivered_customer_id_search_customer_id1_idx ON public.undelivered USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX undelivered_customer_id_text_id_idx ON public.undelivered USING btree (customer_id, text_id) WHERE (text_id IS NOT NULL);

alter table undelivered enable row level security;
alter table undelivered force row level security;

create policy app_sees_its_customer on undelivered for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on undelivered for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.undelivered FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on undelivered to foyer_app;
