-- Written by `npm run tables` from what the migrations made, never by hand.

create table team_users (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  team_id integer not null,
  user_id integer not null,
  created_at timestamp with time zone not null default now(),
  constraint team_users_pkey PRIMARY KEY (id),
  constraint team_users_customer_id_id_key UNIQUE (customer_id, id),
  constraint team_users_customer_id_team_id_user_id_key UNIQUE (customer_id, team_id, user_id),
  constraint team_users_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint team_users_customer_id_team_id_fkey FOREIGN KEY (customer_id, team_id) REFERENCES teams(customer_id, id) ON DELETE CASCADE,
  constraint team_users_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE
);

comment on table team_users is 'Who is in which team.';

CREATE INDEX team_users_customer_id_user_id_idx ON public.team_users USING btree (customer_id, user_id);

alter table team_users enable row level security;
alter table team_users force row level security;

create policy app_sees_its_customer on team_users for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on team_users for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.team_users FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on team_users to foyer_app;
