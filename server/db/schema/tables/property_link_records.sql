-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_link_records (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  sentence text not null,
  personal text,
  created_at timestamp with time zone not null default now(),
  constraint property_link_records_pkey PRIMARY KEY (id),
  constraint property_link_records_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_link_records_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_link_records_customer_id_property_interface_id_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table property_link_records is 'The last things that a system said, in words.';

CREATE INDEX property_link_records_created_at_idx ON public.property_link_records USING btree (created_at);
CREATE INDEX property_link_records_customer_id_property_interface_id_id_idx ON public.property_link_records USING btree (customer_id, property_interface_id, id DESC);

alter table property_link_records enable row level security;
alter table property_link_records force row level security;

create policy app_sees_its_customer on property_link_records for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_link_records for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_link_records FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_link_records to foyer_app;
