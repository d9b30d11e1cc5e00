-- Written by `npm run tables` from what the migrations made, never by hand.

create table vouchers (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  voucher_batch_id integer not null,
  code text collate "C",
  redeemed_at timestamp with time zone,
  expires_at timestamp with time zone,
  seconds_used bigint not null default 0,
  bytes_used bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  taken_back_at timestamp with time zone,
  constraint vouchers_pkey PRIMARY KEY (customer_id, id),
  constraint vouchers_code_check CHECK ((length(code) = 12)),
  constraint vouchers_customer_id_voucher_batch_id_fkey FOREIGN KEY (customer_id, voucher_batch_id) REFERENCES voucher_batches(customer_id, id) ON DELETE CASCADE
) with (fillfactor=90);

comment on table vouchers is 'Single codes. A code is never used again, not even after its batch was deleted.';
comment on column vouchers.code is 'Plain, until it is sealed: null then.';
comment on column vouchers.taken_back_at is 'When the desk took it back: it lets nobody in any more.';

CREATE UNIQUE INDEX vouchers_code_unique ON public.vouchers USING btree (code);
CREATE INDEX vouchers_customer_id_right_idx ON public.vouchers USING btree (customer_id, "right"(code, 4));
CREATE INDEX vouchers_customer_id_voucher_batch_id_id_idx ON public.vouchers USING btree (customer_id, voucher_batch_id, id);
CREATE INDEX vouchers_taken_back ON public.vouchers USING btree (customer_id, voucher_batch_id) WHERE (taken_back_at IS NOT NULL);

alter table vouchers enable row level security;
alter table vouchers force row level security;

create policy app_sees_its_customer on vouchers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on vouchers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.vouchers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on vouchers to foyer_app;
