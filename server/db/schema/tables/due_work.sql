-- Written by `npm run tables` from what the migrations made, never by hand.

create table due_work (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  kind text not null,
  about_id bigint not null,
  lane text,
  urgent boolean not null default false,
  state text not null default 'waiting'::text,
  tries integer not null default 0,
  next_at timestamp with time zone not null default now(),
  lease uuid,
  is_unsure boolean not null default false,
  last_error text,
  created_at timestamp with time zone not null default now(),
  failing_since timestamp with time zone,
  wanted_at timestamp with time zone,
  rests boolean not null default false,
  constraint due_work_pkey PRIMARY KEY (id),
  constraint due_work_customer_id_id_key UNIQUE (customer_id, id),
  constraint due_work_once UNIQUE (customer_id, kind, about_id),
  constraint due_work_lease_check CHECK (((state = 'trying'::text) = (lease IS NOT NULL))),
  constraint due_work_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'trying'::text, 'failed'::text, 'unknown'::text]))),
  constraint due_work_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table due_work is 'What is done later and may fail: when, how often it was tried, who tries it and why it was not done. The row of its kind says what it is.';
comment on column due_work.kind is 'The name of a kind; server/apps/due-work.ts lists them.';
comment on column due_work.about_id is 'The row of the kind''s own table.';
comment on column due_work.lane is 'What shares one other side, such as a connection.';
comment on column due_work.urgent is 'It goes before what is not, of all customers.';
comment on column due_work.state is '`failed`: given up. `unknown`: nobody can tell whether it was done.';
comment on column due_work.tries is 'Those that counted.';
comment on column due_work.next_at is 'When it is due; while it is tried, when another node may take it.';
comment on column due_work.lease is 'Of the try that is under way; who has another is too late.';
comment on column due_work.is_unsure is 'A try of which no answer came may have done it.';
comment on column due_work.failing_since is 'When it was first tried in vain, since it was last done or given up.';
comment on column due_work.wanted_at is 'When it is wanted once more, by what happened while it was being tried.';
comment on column due_work.rests is 'The other side of its lane does not answer, and another piece of it asks: it is due when that is answered, at the latest at next_at.';

CREATE INDEX due_work_customer_id_created_at_id_idx ON public.due_work USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX due_work_customer_id_lane_idx ON public.due_work USING btree (customer_id, lane) WHERE (lane IS NOT NULL);
CREATE INDEX due_work_due ON public.due_work USING btree (kind, urgent, customer_id, next_at, id) WHERE (state = ANY (ARRAY['waiting'::text, 'trying'::text]));
CREATE INDEX due_work_resting ON public.due_work USING btree (customer_id, kind, lane, next_at, id) WHERE rests;

alter table due_work enable row level security;
alter table due_work force row level security;

create policy app_sees_its_customer on due_work for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on due_work for all to foyer_owner using (true) with check (true);

CREATE TRIGGER samples_send_nothing BEFORE INSERT ON public.due_work FOR EACH ROW WHEN (is_sample(new.customer_id)) EXECUTE FUNCTION leave_alone();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.due_work FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on due_work to foyer_app;
