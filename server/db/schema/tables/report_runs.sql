-- Written by `npm run tables` from what the migrations made, never by hand.

create table report_runs (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  report_id integer,
  user_id integer,
  file_id integer,
  period_start date,
  period_end date,
  outcome text not null default 'queued'::text,
  row_count bigint,
  error text,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  group_id integer,
  property_id integer,
  name text not null,
  format text not null,
  asked jsonb,
  mails boolean not null default false,
  due_on date,
  attempts integer not null default 0,
  progress real,
  bytes bigint,
  touched_at timestamp with time zone not null default now(),
  kept_until timestamp with time zone,
  names_guests boolean not null default false,
  api_key_id integer,
  complete_to date,
  missing text[] not null default '{}'::text[],
  look_again_at timestamp with time zone,
  completes_run_id integer,
  constraint report_runs_pkey PRIMARY KEY (id),
  constraint report_runs_completed_once UNIQUE (customer_id, completes_run_id),
  constraint report_runs_customer_id_id_key UNIQUE (customer_id, id),
  constraint report_runs_customer_id_report_id_due_on_key UNIQUE (customer_id, report_id, due_on),
  constraint report_runs_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint report_runs_format_check CHECK ((format = ANY (ARRAY['xls'::text, 'xlsx'::text, 'csv'::text, 'pdf'::text]))),
  constraint report_runs_outcome_check CHECK ((outcome = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint report_runs_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (100)::double precision))),
  constraint report_runs_completes_fkey FOREIGN KEY (customer_id, completes_run_id) REFERENCES report_runs(customer_id, id) ON DELETE CASCADE,
  constraint report_runs_customer_id_api_key_id_fkey FOREIGN KEY (customer_id, api_key_id) REFERENCES api_keys(customer_id, id) ON DELETE SET NULL (api_key_id),
  constraint report_runs_customer_id_file_id_fkey FOREIGN KEY (customer_id, file_id) REFERENCES files(customer_id, id) ON DELETE SET NULL (file_id),
  constraint report_runs_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint report_runs_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint report_runs_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint report_runs_customer_id_report_id_fkey FOREIGN KEY (customer_id, report_id) REFERENCES reports(customer_id, id) ON DELETE CASCADE,
  constraint report_runs_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (user_id)
);

comment on table report_runs is 'Each time that a report is made: by a person, a key or a schedule, which answers each period once.';
comment on column report_runs.asked is 'The fields of a report that is no record, or that stand in for those of its record.';
comment on column report_runs.due_on is 'The day on which its schedule was due; null: a person asked.';
comment on column report_runs.progress is 'In percent.';
comment on column report_runs.touched_at is 'When whoever makes it was last seen at work.';
comment on column report_runs.kept_until is 'Its file is there until then.';
comment on column report_runs.names_guests is 'Its file says who guests were: it goes when one of them is erased.';
comment on column report_runs.complete_to is 'The last day that is complete in its file.';
comment on column report_runs.look_again_at is 'When to look whether what was missing has come.';
comment on column report_runs.completes_run_id is 'The run whose file was incomplete, and that this one stands in for.';

CREATE INDEX report_runs_customer_id_api_key_id_idx ON public.report_runs USING btree (customer_id, api_key_id) WHERE (api_key_id IS NOT NULL);
CREATE INDEX report_runs_customer_id_created_at_id_idx ON public.report_runs USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX report_runs_customer_id_file_id_idx ON public.report_runs USING btree (customer_id, file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX report_runs_customer_id_group_id_idx ON public.report_runs USING btree (customer_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX report_runs_customer_id_property_id_idx ON public.report_runs USING btree (customer_id, property_id) WHERE (property_id IS NOT NULL);
CREATE INDEX report_runs_customer_id_report_id_created_at_id_idx ON public.report_runs USING btree (customer_id, report_id, created_at DESC, id DESC);
CREATE INDEX report_runs_customer_id_user_id_idx ON public.report_runs USING btree (customer_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX report_runs_kept_until_idx ON public.report_runs USING btree (kept_until) WHERE (file_id IS NOT NULL);
CREATE INDEX report_runs_look_again_at_idx ON public.report_runs USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);
CREATE INDEX report_runs_touched_at_idx ON public.report_runs USING btree (touched_at) WHERE (outcome = ANY (ARRAY['queued'::text, 'running'::text]));

alter table report_runs enable row level security;
alter table report_runs force row level security;

create policy app_sees_its_customer on report_runs for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on report_runs for all to foyer_owner using (true) with check (true);

CREATE TRIGGER report_runs_changed_events AFTER UPDATE ON public.report_runs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_report_events();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.report_runs FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on report_runs to foyer_app;
