-- Written by `npm run tables` from what the migrations made, never by hand.

create table webhook_deliveries (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  webhook_id integer not null,
  event_id bigint not null,
  state text not null default 'waiting'::text,
  tries integer not null default 0,
  status integer,
  answer text,
  created_at timestamp with time zone not null default now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_customer_id_id_key UNIQUE (customer_id, id),
  constraint webhook_deliveries_once UNIQUE (customer_id, webhook_id, event_id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_customer_id_event_id_fkey FOREIGN KEY (customer_id, event_id) REFERENCES events(customer_id, id) ON DELETE CASCADE,
  constraint webhook_deliveries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint webhook_deliveries_customer_id_webhook_id_fkey FOREIGN KEY (customer_id, webhook_id) REFERENCES webhooks(customer_id, id) ON DELETE CASCADE
);

comment on table webhook_deliveries is 'Events on their way to a webhook, with what the receiver answered.';
comment on column webhook_deliveries.tries is 'Those that counted.';
comment on column webhook_deliveries.answer is 'The first of what the receiver said.';

CREATE INDEX webhook_deliveries_customer_id_created_at_id_idx ON public.webhook_deliveries USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_customer_id_event_id_idx ON public.webhook_deliveries USING btree (customer_id, event_id);
CREATE INDEX webhook_deliveries_customer_id_webhook_id_created_at_id_idx ON public.webhook_deliveries USING btree (customer_id, webhook_id, created_at DESC, id DESC);

alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;

create policy app_sees_its_customer on webhook_deliveries for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on webhook_deliveries for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.webhook_deliveries FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on webhook_deliveries to foyer_app;
