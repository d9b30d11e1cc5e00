-- Written by `npm run tables` from what the migrations made, never by hand.

create table told_stays (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  property_id integer not null,
  stay_key text not null,
  told jsonb,
  told_at timestamp with time zone not null,
  applied jsonb,
  leaves_at timestamp with time zone,
  constraint told_stays_pkey PRIMARY KEY (id),
  constraint told_stays_customer_id_id_key UNIQUE (customer_id, id),
  constraint told_stays_customer_id_property_interface_id_stay_key_key UNIQUE (customer_id, property_interface_id, stay_key),
  constraint told_stays_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint told_stays_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint told_stays_customer_id_property_interface_id_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table told_stays is 'What a system last said of each stay, by its own key, and what was written of it.';
comment on column told_stays.told is 'Null when it has ended.';
comment on column told_stays.told_at is 'Of the newest word: an older one changes nothing.';
comment on column told_stays.applied is 'What was written of it; what differs from that was changed by hand.';
comment on column told_stays.leaves_at is 'When a departure that was told takes effect.';

CREATE INDEX told_stays_customer_id_property_id_idx ON public.told_stays USING btree (customer_id, property_id);
CREATE INDEX told_stays_told_at_idx ON public.told_stays USING btree (told_at) WHERE (told IS NULL);

alter table told_stays enable row level security;
alter table told_stays force row level security;

create policy app_sees_its_customer on told_stays for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on told_stays for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.told_stays FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on told_stays to foyer_app;
