-- Written by `npm run tables` from what the migrations made, never by hand.

create table invitations (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  token_hash bytea not null,
  user_id integer not null,
  email text not null,
  invited_by_user_id integer,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_customer_id_id_key UNIQUE (customer_id, id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint invitations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint invitations_customer_id_invited_by_user_id_fkey FOREIGN KEY (customer_id, invited_by_user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (invited_by_user_id),
  constraint invitations_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE
);

comment on table invitations is 'Links by which people accept that they become users.';
comment on column invitations.token_hash is 'SHA-256 of the key in the link.';

CREATE INDEX invitations_customer_id_invited_by_user_id_idx ON public.invitations USING btree (customer_id, invited_by_user_id) WHERE (invited_by_user_id IS NOT NULL);
CREATE INDEX invitations_customer_id_user_id_idx ON public.invitations USING btree (customer_id, user_id);

alter table invitations enable row level security;
alter table invitations force row level security;

create policy app_sees_its_customer on invitations for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on invitations for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.invitations FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on invitations to foyer_app;
