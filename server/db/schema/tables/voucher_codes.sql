-- Written by `npm run tables` from what the migrations made, never by hand.

create table voucher_codes (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  voucher_id bigint not null,
  fingerprint bytea not null,
  sealed_code bytea not null,
  last_four text collate "C" not null,
  constraint voucher_codes_pkey PRIMARY KEY (customer_id, id),
  constraint voucher_codes_customer_id_voucher_id_key UNIQUE (customer_id, voucher_id),
  constraint voucher_codes_fingerprint_key UNIQUE (fingerprint),
  constraint voucher_codes_customer_id_voucher_id_fkey FOREIGN KEY (customer_id, voucher_id) REFERENCES vouchers(customer_id, id) ON DELETE CASCADE
);

comment on table voucher_codes is 'The code of each voucher, sealed. A code is never used again, not even after its batch was deleted.';
comment on column voucher_codes.fingerprint is 'HMAC of the code, under the key of the installation that is drawn once.';
comment on column voucher_codes.sealed_code is 'The code, sealed.';

CREATE INDEX voucher_codes_customer_id_last_four_idx ON public.voucher_codes USING btree (customer_id, last_four);

alter table voucher_codes enable row level security;
alter table voucher_codes force row level security;

create policy app_sees_its_customer on voucher_codes for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on voucher_codes for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.voucher_codes FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on voucher_codes to foyer_app;
