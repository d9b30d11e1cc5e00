-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateway_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  sealed_password bytea,
  sealed_radius_secret bytea,
  has_password boolean not null generated always as ((sealed_password IS NOT NULL)) stored,
  radius_secret_made_at timestamp with time zone,
  constraint gateway_secrets_pkey PRIMARY KEY (id),
  constraint gateway_secrets_customer_id_gateway_id_key UNIQUE (customer_id, gateway_id),
  constraint gateway_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint gateway_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint gateway_secrets_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE
);

comment on table gateway_secrets is 'RADIUS secrets of gateways, sealed.';

alter table gateway_secrets enable row level security;
alter table gateway_secrets force row level security;

create policy app_sees_its_customer on gateway_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on gateway_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.gateway_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on gateway_secrets to foyer_app;
