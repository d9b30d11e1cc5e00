-- Written by `npm run tables` from what the migrations made, never by hand.

create table webhook_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  webhook_id integer not null,
  sealed_secret bytea not null,
  sealed_former bytea,
  former_until timestamp with time zone,
  sealed_older bytea,
  older_until timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (id),
  constraint webhook_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint webhook_secrets_customer_id_webhook_id_key UNIQUE (customer_id, webhook_id),
  constraint webhook_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint webhook_secrets_customer_id_webhook_id_fkey FOREIGN KEY (customer_id, webhook_id) REFERENCES webhooks(customer_id, id) ON DELETE CASCADE
);

comment on table webhook_secrets is 'Secrets that deliveries are signed with, sealed; one that was replaced signs for another day.';
comment on column webhook_secrets.former_until is 'Until when the former secret signs, too.';
comment on column webhook_secrets.sealed_older is 'The one before the former, while it still signs.';

alter table webhook_secrets enable row level security;
alter table webhook_secrets force row level security;

create policy app_sees_its_customer on webhook_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on webhook_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.webhook_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on webhook_secrets to foyer_app;
