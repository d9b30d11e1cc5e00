-- Written by `npm run tables` from what the migrations made, never by hand.

create table activity (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  user_id integer,
  actor_name text,
  actor_email text,
  action text not null,
  object_type text,
  object_id bigint,
  object_name text,
  before jsonb,
  after jsonb,
  ip inet,
  group_id integer,
  property_id integer,
  created_at timestamp with time zone not null default now(),
  principal_kind text not null default 'user'::text,
  principal_id integer,
  search text not null generated always as (search_text(lower((((((((((' '::text || COALESCE(actor_name, ''::text)) || ' '::text) || COALESCE(actor_email, ''::text)) || ' '::text) || action) || ' '::text) || COALESCE(object_type, ''::text)) || ' '::text) || COALESCE(object_name, ''::text))))) stored,
  session uuid,
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_customer_id_id_key UNIQUE (customer_id, id),
  constraint activity_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'activate'::text, 'deactivate'::text, 'delete'::text, 'invite'::text, 'permission'::text, 'import'::text, 'export'::text, 'login'::text, 'failed_login'::text, 'integration'::text, 'denied'::text, 'reset_asked'::text, 'reset'::text, 'key_use'::text, 'looked_up'::text]))),
  constraint activity_check CHECK (((principal_id IS NULL) OR (principal_kind <> 'user'::text))),
  constraint activity_principal_kind_check CHECK ((principal_kind = ANY (ARRAY['user'::text, 'api_key'::text, 'gateway'::text, 'guest'::text, 'job'::text]))),
  constraint activity_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table activity is 'What every write leaves behind: who did what, when, to which record, before and after. Append-only; it refers to nothing, because it outlives what it names.';
comment on column activity.before is 'The fields that changed, as they were.';
comment on column activity.after is 'The fields that changed, as they became; of what has no fields, what was done.';
comment on column activity.group_id is 'Whose line it is: a group''s users see their own.';
comment on column activity.property_id is 'Whose line it is: a property''s users see their own.';
comment on column activity.principal_id is 'Of the API key, gateway, guest or job that did it, by principal_kind.';
comment on column activity.session is 'The handle of the session in which it was done.';

CREATE INDEX activity_customer_id_created_at_id_idx ON public.activity USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX activity_customer_id_group_id_created_at_id_idx ON public.activity USING btree (customer_id, group_id, created_at DESC, id DESC);
CREATE INDEX activity_customer_id_object_type_object_id_created_at_id_idx ON public.activity USING btree (customer_id, object_type, object_id, created_at DESC, id DESC);
CREATE INDEX activity_customer_id_property_id_created_at_id_idx ON public.activity USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX activity_customer_id_search_customer_id1_idx ON public.activity USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX activity_customer_id_user_id_created_at_id_idx ON public.activity USING btree (customer_id, user_id, created_at DESC, id DESC);
CREATE INDEX activity_naming_guests ON public.activity USING btree (customer_id) WHERE (after ?| ARRAY['mailed_to'::text, 'sign_in_mailed_to'::text, 'slip_sent_to'::text, 'let_try_again'::text, 'device_forgotten'::text, 'searchValue'::text]);

alter table activity enable row level security;
alter table activity force row level security;

create policy app_sees_its_customer on activity for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on activity for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.activity FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant insert, select on activity to foyer_app;
