-- Written by `npm run tables` from what the migrations made, never by hand.

create table told_messages (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  message_id text not null,
  body jsonb,
  received_at timestamp with time zone not null default now(),
  constraint told_messages_pkey PRIMARY KEY (id),
  constraint told_messages_customer_id_id_key UNIQUE (customer_id, id),
  constraint told_messages_once UNIQUE (customer_id, property_interface_id, message_id),
  constraint told_messages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint told_messages_customer_id_property_interface_id_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table told_messages is 'What a system has posted, kept by its id so that it counts once.';
comment on column told_messages.body is 'Null once it has been taken in.';

CREATE INDEX told_messages_received_at_idx ON public.told_messages USING btree (received_at);

alter table told_messages enable row level security;
alter table told_messages force row level security;

create policy app_sees_its_customer on told_messages for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on told_messages for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.told_messages FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on told_messages to foyer_app;
