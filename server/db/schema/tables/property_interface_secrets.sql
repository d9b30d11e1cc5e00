-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_interface_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  sealed_username bytea,
  sealed_password bytea,
  has_username boolean not null generated always as ((sealed_username IS NOT NULL)) stored,
  has_password boolean not null generated always as ((sealed_password IS NOT NULL)) stored,
  constraint property_interface_secrets_pkey PRIMARY KEY (id),
  constraint property_interface_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_interface_secrets_customer_id_property_interface_i_key UNIQUE (customer_id, property_interface_id),
  constraint property_interface_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_interface_secrets_customer_id_property_interface__fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table property_interface_secrets is 'Passwords of property interfaces, sealed.';

alter table property_interface_secrets enable row level security;
alter table property_interface_secrets force row level security;

create policy app_sees_its_customer on property_interface_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_interface_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_interface_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on property_interface_secrets to foyer_app;
