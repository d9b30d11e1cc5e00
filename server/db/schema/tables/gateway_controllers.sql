-- Written by `npm run tables` from what the migrations made, never by hand.

create table gateway_controllers (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  gateway_id integer not null,
  answered_at timestamp with time zone,
  problem text,
  problem_at timestamp with time zone,
  shown_fingerprint text,
  polls_as text[] not null default '{}'::text[],
  polled_from inet,
  polled_at timestamp with time zone,
  constraint gateway_controllers_pkey PRIMARY KEY (id),
  constraint gateway_controllers_customer_id_gateway_id_key UNIQUE (customer_id, gateway_id),
  constraint gateway_controllers_customer_id_id_key UNIQUE (customer_id, id),
  constraint gateway_controllers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint gateway_controllers_customer_id_gateway_id_fkey FOREIGN KEY (customer_id, gateway_id) REFERENCES gateways(customer_id, id) ON DELETE CASCADE
);

comment on table gateway_controllers is 'What was last heard from the controller of a gateway that is called.';
comment on column gateway_controllers.problem is 'Why it could not be used, for people.';
comment on column gateway_controllers.shown_fingerprint is 'Of a certificate that it showed and nobody has accepted.';
comment on column gateway_controllers.polls_as is 'The names by which it asks, learnt from its redirects, the newest first.';
comment on column gateway_controllers.polled_from is 'Where it asked from, so that nobody else takes what is meant for it.';

alter table gateway_controllers enable row level security;
alter table gateway_controllers force row level security;

create policy app_sees_its_customer on gateway_controllers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on gateway_controllers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.gateway_controllers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on gateway_controllers to foyer_app;
