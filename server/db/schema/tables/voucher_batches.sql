-- Written by `npm run tables` from what the migrations made, never by hand.

create table voucher_batches (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  quantity integer not null,
  package_id integer not null,
  property_id integer,
  group_id integer,
  volume_gb numeric(14,6) not null default 0,
  speed_mbps numeric(10,3) not null default 0,
  batch_number text not null,
  valid_from timestamp with time zone,
  expires_at timestamp with time zone,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  redeemed integer not null default 0,
  name text,
  note text,
  search text not null generated always as (search_text((((((' '::text || batch_number) || ' '::text) || COALESCE(name, ''::text)) || ' '::text) || COALESCE(note, ''::text)))) stored,
  devices integer not null default 0,
  constraint voucher_batches_pkey PRIMARY KEY (id),
  constraint voucher_batches_customer_id_batch_number_key UNIQUE (customer_id, batch_number),
  constraint voucher_batches_customer_id_id_key UNIQUE (customer_id, id),
  constraint voucher_batches_check CHECK (((group_id IS NOT NULL) OR (property_id IS NOT NULL))),
  constraint voucher_batches_check1 CHECK (((redeemed >= 0) AND (redeemed <= quantity))),
  constraint voucher_batches_devices_check CHECK ((devices >= 0)),
  constraint voucher_batches_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100000))),
  constraint voucher_batches_speed_mbps_check CHECK ((speed_mbps >= (0)::numeric)),
  constraint voucher_batches_volume_gb_check CHECK ((volume_gb >= (0)::numeric)),
  constraint voucher_batches_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint voucher_batches_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint voucher_batches_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id),
  constraint voucher_batches_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table voucher_batches is 'Codes that were made together, for one property or a whole group, and what they give.';

CREATE INDEX voucher_batches_customer_id_created_at_id_idx ON public.voucher_batches USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX voucher_batches_customer_id_group_id_created_at_id_idx ON public.voucher_batches USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX voucher_batches_customer_id_package_id_idx ON public.voucher_batches USING btree (customer_id, package_id);
CREATE INDEX voucher_batches_customer_id_property_id_created_at_id_idx ON public.voucher_batches USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX voucher_batches_customer_id_search_customer_id1_idx ON public.voucher_batches USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table voucher_batches enable row level security;
alter table voucher_batches force row level security;

create policy app_sees_its_customer on voucher_batches for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on voucher_batches for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.voucher_batches FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on voucher_batches to foyer_app;
