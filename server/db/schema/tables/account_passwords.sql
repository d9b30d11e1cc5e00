-- Written by `npm run tables` from what the migrations made, never by hand.

create table account_passwords (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  account_id integer not null,
  sealed_password bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint account_passwords_pkey PRIMARY KEY (id),
  constraint account_passwords_customer_id_account_id_key UNIQUE (customer_id, account_id),
  constraint account_passwords_customer_id_id_key UNIQUE (customer_id, id),
  constraint account_passwords_customer_id_account_id_fkey FOREIGN KEY (customer_id, account_id) REFERENCES accounts(customer_id, id) ON DELETE CASCADE,
  constraint account_passwords_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table account_passwords is 'Passwords of accounts, sealed with the installation''s key; editors may read them.';
comment on column account_passwords.sealed_password is 'AES-256-GCM with the installation''s key, bound to this row; so is every column that begins with sealed.';

alter table account_passwords enable row level security;
alter table account_passwords force row level security;

create policy app_sees_its_customer on account_passwords for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on account_passwords for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.account_passwords FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on account_passwords to foyer_app;
