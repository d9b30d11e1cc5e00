-- Written by `npm run tables` from what the migrations made, never by hand.

create table imports (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer,
  user_id integer,
  kind text not null,
  file_name text,
  outcome text not null default 'running'::text,
  total integer not null default 0,
  duplicates integer not null default 0,
  problems jsonb,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  created integer not null default 0,
  overwritten integer not null default 0,
  actor_name text,
  property_ids integer[] not null default '{}'::integer[],
  undo_until timestamp with time zone,
  undone_at timestamp with time zone,
  undone_by text,
  search text not null generated always as (search_text((((' '::text || COALESCE(file_name, ''::text)) || ' '::text) || COALESCE(actor_name, ''::text)))) stored,
  moved_out integer not null default 0,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_customer_id_id_key UNIQUE (customer_id, id),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['accounts'::text, 'devices'::text, 'rooms'::text, 'portal'::text]))),
  constraint imports_outcome_check CHECK ((outcome = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
  constraint imports_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint imports_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint imports_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (user_id)
);

comment on table imports is 'Files that somebody brought in, and what came of each.';
comment on column imports.problems is 'Lines that were not taken, with why; forgotten after 24 hours.';
comment on column imports.undo_until is 'Until when it can be undone; null: no more.';
comment on column imports.moved_out is 'Guests whom a list of rooms no longer had.';

CREATE INDEX imports_created_at_idx ON public.imports USING btree (created_at) WHERE (problems IS NOT NULL);
CREATE INDEX imports_customer_id_created_at_id_idx ON public.imports USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX imports_customer_id_property_id_created_at_id_idx ON public.imports USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX imports_customer_id_search_customer_id1_idx ON public.imports USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX imports_customer_id_user_id_idx ON public.imports USING btree (customer_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX imports_undo_until_idx ON public.imports USING btree (undo_until) WHERE (undo_until IS NOT NULL);

alter table imports enable row level security;
alter table imports force row level security;

create policy app_sees_its_customer on imports for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on imports for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.imports FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on imports to foyer_app;
