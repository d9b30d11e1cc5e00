-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_holidays (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  name text not null,
  starts_on date not null,
  ends_on date not null,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  listed_country text,
  listed_region text,
  constraint property_holidays_pkey PRIMARY KEY (id),
  constraint property_holidays_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_holidays_check CHECK ((ends_on >= starts_on)),
  constraint property_holidays_check1 CHECK (((listed_region IS NULL) OR (listed_country IS NOT NULL))),
  constraint property_holidays_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_holidays_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table property_holidays is 'Days on which a property bills its holiday percentage.';

CREATE INDEX property_holidays_customer_id_created_at_id_idx ON public.property_holidays USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX property_holidays_customer_id_property_id_created_at_id_idx ON public.property_holidays USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX property_holidays_once ON public.property_holidays USING btree (customer_id, property_id, starts_on, ends_on) WHERE (deleted_at IS NULL);

alter table property_holidays enable row level security;
alter table property_holidays force row level security;

create policy app_sees_its_customer on property_holidays for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_holidays for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_holidays FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_holidays to foyer_app;
