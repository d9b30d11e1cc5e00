-- Written by `npm run tables` from what the migrations made, never by hand.

create table packages (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  name text not null,
  volume_gb numeric(14,6) not null default 0,
  volume_type text not null default 'GB'::text,
  speed_mbps numeric(10,3) not null default 0,
  max_users integer not null default 0,
  session_time_hrs numeric(12,4) not null default 0,
  idle_timeout_hrs numeric(12,4) not null default 0,
  recurs text not null default 'none'::text,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  refused_in_dispute boolean not null default false,
  constraint packages_pkey PRIMARY KEY (id),
  constraint packages_customer_id_id_key UNIQUE (customer_id, id),
  constraint packages_idle_timeout_hrs_check CHECK ((idle_timeout_hrs >= (0)::numeric)),
  constraint packages_max_users_check CHECK ((max_users >= 0)),
  constraint packages_recurs_check CHECK ((recurs = ANY (ARRAY['none'::text, 'daily'::text, 'weekly'::text, 'monthly'::text]))),
  constraint packages_session_time_hrs_check CHECK ((session_time_hrs >= (0)::numeric)),
  constraint packages_speed_mbps_check CHECK ((speed_mbps >= (0)::numeric)),
  constraint packages_volume_gb_check CHECK ((volume_gb >= (0)::numeric)),
  constraint packages_volume_type_check CHECK ((volume_type = ANY (ARRAY['MB'::text, 'GB'::text]))),
  constraint packages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table packages is 'What a guest gets: data, speed, time, devices. 0 means no limit.';
comment on column packages.volume_gb is 'The allowance of a period, in GB of 10^9 bytes; 0: no limit.';
comment on column packages.volume_type is 'The unit that a person typed it in.';
comment on column packages.speed_mbps is 'Each way, in Mbit/s; 0: no limit.';
comment on column packages.max_users is 'Devices at once; 0: no limit.';
comment on column packages.session_time_hrs is 'The time of a period, in hours; 0: no limit.';
comment on column packages.idle_timeout_hrs is 'After as many hours without traffic the gateway ends the session; 0: it decides itself.';
comment on column packages.recurs is 'How often the allowance begins anew; `none`: it is used once.';

CREATE INDEX packages_customer_id_created_at_id_idx ON public.packages USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX packages_customer_id_name_id_idx ON public.packages USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX packages_customer_id_search_customer_id1_idx ON public.packages USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table packages enable row level security;
alter table packages force row level security;

create policy app_sees_its_customer on packages for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on packages for all to foyer_owner using (true) with check (true);

CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.packages FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.packages FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on packages to foyer_app;
