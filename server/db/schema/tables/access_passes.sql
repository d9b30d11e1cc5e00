-- Written by `npm run tables` from what the migrations made, never by hand.

create table access_passes (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  username text not null,
  sealed_password bytea not null,
  gateway_id integer not null,
  mac_address macaddr,
  auth_method_id integer not null,
  package_id integer,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  status_key_hash bytea,
  signed_out_at timestamp with time zone,
  trial_id integer default app_trial_id(),
  constraint access_passes_pkey PRIMARY KEY (id),
  constraint access_passes_customer_id_id_key UNIQUE (customer_id, id),
  constraint access_passes_username_key UNIQUE (username),
  constraint access_passes_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint access_passes_customer_id_account_id_fkey FOREIGN KEY (customer_id, account_id) REFERENCES accounts(customer_id, id) ON DELETE CASCADE,
  constraint access_passes_customer_id_device_id_fkey FOREIGN KEY (customer_id, device_id) REFERENCES devices(customer_id, id) ON DELETE CASCADE,
  constraint access_passes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint access_passes_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE,
  constraint access_passes_customer_id_guest_id_fkey FOREIGN KEY (customer_id, guest_id) REFERENCES guests(customer_id, id) ON DELETE CASCADE,
  constraint access_passes_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE CASCADE,
  constraint access_passes_customer_id_voucher_id_fkey FOREIGN KEY (customer_id, voucher_id) REFERENCES vouchers(customer_id, id) ON DELETE CASCADE
);

comment on table access_passes is 'What a gateway is given instead of the guest''s own secret: made by the portal, good once, for 90 seconds, one gateway and one device. RADIUS resolves it to the account, voucher, device or guest behind it.';
comment on column access_passes.username is 'What the gateway sends in place of the guest''s own name.';
comment on column access_passes.sealed_password is 'What the gateway sends in place of the guest''s own secret; sealed with the installation''s key.';
comment on column access_passes.expires_at is 'When it cannot be used any more: 90 seconds after it was made.';
comment on column access_passes.status_key_hash is 'SHA-256 of the key in the address of the guest''s status page.';
comment on column access_passes.signed_out_at is 'When the guest pressed the button there.';

CREATE INDEX access_passes_customer_id_account_id_idx ON public.access_passes USING btree (customer_id, account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX access_passes_customer_id_device_id_idx ON public.access_passes USING btree (customer_id, device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX access_passes_customer_id_gateway_id_idx ON public.access_passes USING btree (customer_id, gateway_id);
CREATE INDEX access_passes_customer_id_guest_id_idx ON public.access_passes USING btree (customer_id, guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX access_passes_customer_id_mac_address_id_idx ON public.access_passes USING btree (customer_id, mac_address, id DESC) WHERE (guest_id IS NOT NULL);
CREATE INDEX access_passes_customer_id_mac_address_idx ON public.access_passes USING btree (customer_id, mac_address) WHERE (mac_address IS NOT NULL);
CREATE INDEX access_passes_customer_id_package_id_idx ON public.access_passes USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX access_passes_customer_id_voucher_id_idx ON public.access_passes USING btree (customer_id, voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE INDEX access_passes_expires_at_idx ON public.access_passes USING btree (expires_at);
CREATE UNIQUE INDEX access_passes_status_key ON public.access_passes USING btree (status_key_hash) WHERE (status_key_hash IS NOT NULL);

alter table access_passes enable row level security;
alter table access_passes force row level security;

create policy app_sees_its_customer on access_passes for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on access_passes for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on access_passes for all to public using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.access_passes FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on access_passes to foyer_app;
