-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_states (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  word text not null,
  severity smallint not null generated always as (array_position(ARRAY['never_heard'::text, 'silent'::text, 'refusing'::text, 'link_down'::text, 'incomplete'::text, 'codes_out'::text, 'nights_late'::text, 'served'::text], word)) stored,
  since timestamp with time zone not null,
  sentence text not null,
  online integer not null default 0,
  suffering integer not null default 0,
  constraint property_states_pkey PRIMARY KEY (id),
  constraint property_states_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_states_customer_id_property_id_key UNIQUE (customer_id, property_id),
  constraint property_states_word_check CHECK ((word = ANY (ARRAY['never_heard'::text, 'silent'::text, 'refusing'::text, 'link_down'::text, 'incomplete'::text, 'codes_out'::text, 'nights_late'::text, 'served'::text]))),
  constraint property_states_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_states_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table property_states is 'The state of each active property, kept beside the function that reckons it so that lists can be sorted by it.';
comment on column property_states.severity is 'The place of the word, the worst first: lists are sorted by it.';
comment on column property_states.since is 'Since when the word applies.';
comment on column property_states.sentence is 'What is wrong, and what to do.';
comment on column property_states.suffering is 'Guests who cannot get online, or could not in the last hour.';

CREATE INDEX property_states_customer_id_word_idx ON public.property_states USING btree (customer_id, word);

alter table property_states enable row level security;
alter table property_states force row level security;

create policy app_sees_its_customer on property_states for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_states for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_states FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_states to foyer_app;
