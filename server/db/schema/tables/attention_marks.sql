-- Written by `npm run tables` from what the migrations made, never by hand.

create table attention_marks (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  kind text not null,
  about_id bigint not null,
  put_off_until timestamp with time zone,
  marked_at timestamp with time zone not null default now(),
  marked_by text not null,
  constraint attention_marks_pkey PRIMARY KEY (id),
  constraint attention_marks_customer_id_id_key UNIQUE (customer_id, id),
  constraint attention_marks_once UNIQUE (customer_id, kind, about_id),
  constraint attention_marks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table attention_marks is 'What somebody said of an entry of Needs attention: dealt with, or put off.';
comment on column attention_marks.kind is 'The kind of entry that was dealt with or put off.';
comment on column attention_marks.put_off_until is 'When it comes again; null: it was dealt with, until it happens anew.';

CREATE INDEX attention_marks_marked_at_idx ON public.attention_marks USING btree (marked_at);

alter table attention_marks enable row level security;
alter table attention_marks force row level security;

create policy app_sees_its_customer on attention_marks for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on attention_marks for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.attention_marks FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on attention_marks to foyer_app;
