-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_interface_setting_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  key text not null,
  sealed_value bytea not null,
  changed_at timestamp with time zone not null default now(),
  constraint property_interface_setting_secrets_pkey PRIMARY KEY (id),
  constraint property_interface_setting_se_customer_id_property_interfac_key UNIQUE (customer_id, property_interface_id, key),
  constraint property_interface_setting_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_interface_setting_se_customer_id_property_interfa_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE,
  constraint property_interface_setting_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table property_interface_setting_secrets is 'Secret settings of property interfaces, sealed, by the keys of the parameters of their kind.';

alter table property_interface_setting_secrets enable row level security;
alter table property_interface_setting_secrets force row level security;

create policy app_sees_its_customer on property_interface_setting_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_interface_setting_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_interface_setting_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on property_interface_setting_secrets to foyer_app;
