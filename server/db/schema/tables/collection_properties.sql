-- Written by `npm run tables` from what the migrations made, never by hand.

create table collection_properties (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  collection_id integer not null,
  property_id integer not null,
  created_at timestamp with time zone not null default now(),
  constraint collection_properties_pkey PRIMARY KEY (id),
  constraint collection_properties_customer_id_collection_id_property_id_key UNIQUE (customer_id, collection_id, property_id),
  constraint collection_properties_customer_id_id_key UNIQUE (customer_id, id),
  constraint collection_properties_customer_id_collection_id_fkey FOREIGN KEY (customer_id, collection_id) REFERENCES collections(customer_id, id) ON DELETE CASCADE,
  constraint collection_properties_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint collection_properties_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table collection_properties is 'Which properties are in which collection.';

CREATE INDEX collection_properties_customer_id_property_id_idx ON public.collection_properties USING btree (customer_id, property_id);

alter table collection_properties enable row level security;
alter table collection_properties force row level security;

create policy app_sees_its_customer on collection_properties for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on collection_properties for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.collection_properties FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on collection_properties to foyer_app;
