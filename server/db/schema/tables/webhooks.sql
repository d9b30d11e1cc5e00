-- Written by `npm run tables` from what the migrations made, never by hand.

create table webhooks (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  url text not null,
  events text[] not null,
  personal_data boolean not null default false,
  active boolean not null default true,
  paused_at timestamp with time zone,
  paused_for text,
  failing_since timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  failed_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_customer_id_id_key UNIQUE (customer_id, id),
  constraint webhooks_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint webhooks_check1 CHECK (((paused_at IS NULL) = (paused_for IS NULL))),
  constraint webhooks_paused_for_check CHECK ((paused_for = ANY (ARRAY['failed'::text, 'gone'::text]))),
  constraint webhooks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint webhooks_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint webhooks_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table webhooks is 'Addresses of other programs that are told what happens.';
comment on column webhooks.paused_for is '`failed` after five days, `gone` when it answered 410; it is not active then.';
comment on column webhooks.failing_since is 'When the failures in a row began; null: it went well last.';
comment on column webhooks.failed_at is 'When it was last tried in vain.';

CREATE INDEX webhooks_customer_id_created_at_id_idx ON public.webhooks USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX webhooks_customer_id_group_id_idx ON public.webhooks USING btree (customer_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX webhooks_customer_id_property_id_idx ON public.webhooks USING btree (customer_id, property_id) WHERE (property_id IS NOT NULL);

alter table webhooks enable row level security;
alter table webhooks force row level security;

create policy app_sees_its_customer on webhooks for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on webhooks for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.webhooks FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on webhooks to foyer_app;
