-- Written by `npm run tables` from what the migrations made, never by hand.

create table events (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  uuid uuid not null default gen_random_uuid(),
  type text not null,
  object text not null,
  object_id bigint not null,
  sequence bigint not null,
  group_id integer,
  property_id integer,
  guest_id integer,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint events_pkey PRIMARY KEY (id),
  constraint events_customer_id_id_key UNIQUE (customer_id, id),
  constraint events_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint events_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint events_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint events_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table events is 'What has happened, kept for 30 days for webhooks: ids and words alone, never what a guest entered.';
comment on column events.uuid is 'What the receiver knows it by, the same at each repetition.';
comment on column events.sequence is 'Of its object, from 1, whatever the type of the event.';
comment on column events.guest_id is 'Whom it is about, so that an erasure finds it.';

CREATE INDEX events_created_at_idx ON public.events USING btree (created_at);
CREATE INDEX events_customer_id_created_at_id_idx ON public.events USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX events_customer_id_group_id_idx ON public.events USING btree (customer_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX events_customer_id_guest_id_idx ON public.events USING btree (customer_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX events_customer_id_property_id_created_at_id_idx ON public.events USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (property_id IS NOT NULL);

alter table events enable row level security;
alter table events force row level security;

create policy app_sees_its_customer on events for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on events for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.events FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on events to foyer_app;
