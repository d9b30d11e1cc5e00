-- Written by `npm run tables` from what the migrations made, never by hand.

create table guest_devices (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  account_id integer,
  voucher_id bigint,
  guest_id bigint,
  mac_address macaddr not null,
  last_seen_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  auth_method_id integer,
  package_id integer,
  waits_until timestamp with time zone,
  signed_out_at timestamp with time zone,
  trial_id integer default app_trial_id(),
  constraint guest_devices_pkey PRIMARY KEY (id),
  constraint guest_devices_customer_id_account_id_voucher_id_guest_id_ma_key UNIQUE NULLS NOT DISTINCT (customer_id, account_id, voucher_id, guest_id, mac_address),
  constraint guest_devices_customer_id_id_key UNIQUE (customer_id, id),
  constraint guest_devices_check CHECK ((num_nonnulls(account_id, voucher_id, guest_id) = 1)),
  constraint guest_devices_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint guest_devices_customer_id_account_id_fkey FOREIGN KEY (customer_id, account_id) REFERENCES accounts(customer_id, id) ON DELETE CASCADE,
  constraint guest_devices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint guest_devices_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE CASCADE,
  constraint guest_devices_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint guest_devices_customer_id_voucher_id_fkey FOREIGN KEY (customer_id, voucher_id) REFERENCES vouchers(customer_id, id) ON DELETE CASCADE
);

comment on table guest_devices is 'Devices on which an account, a voucher or a guest is in use, for the package''s limit and for coming back without a form.';
comment on column guest_devices.package_id is 'What the device is let in with when it comes back without a form.';
comment on column guest_devices.waits_until is 'A place within the package''s limit is kept for the device until then, before its session is reported.';
comment on column guest_devices.signed_out_at is 'When its guest pressed the button; it has to sign in again.';

CREATE INDEX guest_devices_customer_id_guest_id_idx ON public.guest_devices USING btree (customer_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX guest_devices_customer_id_mac_address_idx ON public.guest_devices USING btree (customer_id, mac_address);
CREATE INDEX guest_devices_customer_id_package_id_idx ON public.guest_devices USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX guest_devices_customer_id_voucher_id_idx ON public.guest_devices USING btree (customer_id, voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE INDEX guest_devices_trial_id_idx ON public.guest_devices USING btree (trial_id) WHERE (trial_id IS NOT NULL);

alter table guest_devices enable row level security;
alter table guest_devices force row level security;

create policy app_sees_its_customer on guest_devices for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on guest_devices for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on guest_devices for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.guest_devices FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on guest_devices to foyer_app;
