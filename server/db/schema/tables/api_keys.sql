-- Written by `npm run tables` from what the migrations made, never by hand.

create table api_keys (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  user_id integer,
  group_id integer,
  property_id integer,
  name text not null,
  email text,
  permissions text[] not null default '{}'::text[],
  property_ids integer[] not null default '{}'::integer[],
  token_start text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by_user_id integer,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  search text not null generated always as (search_text(lower((((' '::text || name) || ' '::text) || COALESCE(email, ''::text))))) stored,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_customer_id_id_key UNIQUE (customer_id, id),
  constraint api_keys_check CHECK ((num_nonnulls(user_id, group_id, property_id) <= 1)),
  constraint api_keys_customer_id_created_by_user_id_fkey FOREIGN KEY (customer_id, created_by_user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (created_by_user_id),
  constraint api_keys_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint api_keys_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint api_keys_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint api_keys_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE
);

comment on table api_keys is 'Keys of users, groups and properties for programs. A key reaches no further than its owner and its property_ids.';
comment on column api_keys.permissions is 'Areas and actions as in contract/permissions.ts; it does nothing else.';
comment on column api_keys.property_ids is 'The properties that it is limited to; empty: all in reach of its owner.';
comment on column api_keys.token_start is 'The first characters of the key, by which its owner knows it.';

CREATE INDEX api_keys_customer_id_created_at_id_idx ON public.api_keys USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX api_keys_customer_id_created_by_user_id_idx ON public.api_keys USING btree (customer_id, created_by_user_id) WHERE (created_by_user_id IS NOT NULL);
CREATE INDEX api_keys_customer_id_group_id_created_at_id_idx ON public.api_keys USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX api_keys_customer_id_property_id_created_at_id_idx ON public.api_keys USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX api_keys_customer_id_search_customer_id1_idx ON public.api_keys USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX api_keys_customer_id_user_id_created_at_id_idx ON public.api_keys USING btree (customer_id, user_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

alter table api_keys enable row level security;
alter table api_keys force row level security;

create policy app_sees_its_customer on api_keys for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on api_keys for all to foyer_owner using (true) with check (true);

CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.api_keys FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.api_keys FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on api_keys to foyer_app;
