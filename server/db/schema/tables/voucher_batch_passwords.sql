-- Written by `npm run tables` from what the migrations made, never by hand.

create table voucher_batch_passwords (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  voucher_batch_id integer not null,
  sealed_password bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint voucher_batch_passwords_pkey PRIMARY KEY (id),
  constraint voucher_batch_passwords_customer_id_id_key UNIQUE (customer_id, id),
  constraint voucher_batch_passwords_customer_id_voucher_batch_id_key UNIQUE (customer_id, voucher_batch_id),
  constraint voucher_batch_passwords_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint voucher_batch_passwords_customer_id_voucher_batch_id_fkey FOREIGN KEY (customer_id, voucher_batch_id) REFERENCES voucher_batches(customer_id, id) ON DELETE CASCADE
);

comment on table voucher_batch_passwords is 'Passwords that guests type along with a code, sealed; editors may read them.';

alter table voucher_batch_passwords enable row level security;
alter table voucher_batch_passwords force row level security;

create policy app_sees_its_customer on voucher_batch_passwords for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on voucher_batch_passwords for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.voucher_batch_passwords FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on voucher_batch_passwords to foyer_app;
