-- Written by `npm run tables` from what the migrations made, never by hand.

create table usage_periods (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  starts_at timestamp with time zone not null,
  seconds_used bigint not null default 0,
  bytes_used bigint not null default 0,
  constraint usage_periods_pkey PRIMARY KEY (id),
  constraint usage_periods_customer_id_account_id_voucher_id_device_id_g_key UNIQUE NULLS NOT DISTINCT (customer_id, account_id, voucher_id, device_id, guest_id, starts_at),
  constraint usage_periods_customer_id_id_key UNIQUE (customer_id, id),
  constraint usage_periods_check CHECK ((num_nonnulls(account_id, voucher_id, device_id, guest_id) = 1)),
  constraint usage_periods_customer_id_account_id_fkey FOREIGN KEY (customer_id, account_id) REFERENCES accounts(customer_id, id) ON DELETE CASCADE,
  constraint usage_periods_customer_id_device_id_fkey FOREIGN KEY (customer_id, device_id) REFERENCES devices(customer_id, id) ON DELETE CASCADE,
  constraint usage_periods_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint usage_periods_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE CASCADE,
  constraint usage_periods_customer_id_voucher_id_fkey FOREIGN KEY (customer_id, voucher_id) REFERENCES vouchers(customer_id, id) ON DELETE CASCADE
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

comment on table usage_periods is 'How much of its package''s allowance each account, voucher, device or guest used on each day.';
comment on column usage_periods.starts_at is 'When the day began, by the property''s clock; `-infinity`: older days, added up.';
comment on column usage_periods.seconds_used is 'Of the day, over all devices.';
comment on column usage_periods.bytes_used is 'Of the day, up and down together.';

CREATE INDEX usage_periods_customer_id_device_id_idx ON public.usage_periods USING btree (customer_id, device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX usage_periods_customer_id_guest_id_idx ON public.usage_periods USING btree (customer_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX usage_periods_customer_id_voucher_id_idx ON public.usage_periods USING btree (customer_id, voucher_id) WHERE (voucher_id IS NOT NULL);

alter table usage_periods enable row level security;
alter table usage_periods force row level security;

create policy app_sees_its_customer on usage_periods for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on usage_periods for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.usage_periods FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on usage_periods to foyer_app;
