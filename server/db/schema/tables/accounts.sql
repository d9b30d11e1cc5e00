-- Written by `npm run tables` from what the migrations made, never by hand.

create table accounts (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  package_id integer,
  room_id integer,
  account_type_id integer not null default 1,
  name text not null,
  email text,
  mobile_number text,
  username text,
  external_reference text,
  in_dispute boolean not null default false,
  expires_at timestamp with time zone,
  logged_in_at timestamp with time zone,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN draft THEN 'draft'::text
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  room_number text,
  username_key text generated always as (same_fold(username)) stored,
  search text not null generated always as (search_text((((((lower((((((((' '::text || name) || ' '::text) || COALESCE(username, ''::text)) || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(mobile_number, ''::text))) || ' '::text) || COALESCE(room_number, ''::text)) || search_digits(mobile_number)) || search_digits(username)) || search_digits(name)))) stored,
  sign_in_due boolean not null default false,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_customer_id_id_key UNIQUE (customer_id, id),
  constraint accounts_account_type_id_fkey FOREIGN KEY (account_type_id) REFERENCES account_types(id),
  constraint accounts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint accounts_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint accounts_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint accounts_customer_id_room_id_fkey FOREIGN KEY (customer_id, room_id) REFERENCES rooms(customer_id, id) ON DELETE SET NULL (room_id)
) with (fillfactor=85);

comment on table accounts is 'Guests who sign in with a name and a password, at one property.';
comment on column accounts.in_dispute is 'The property''s system says that the guest is in dispute: packages may refuse them.';
comment on column accounts.room_number is 'The number of the room, kept by a trigger so that lists need not read rooms.';
comment on column accounts.username_key is 'The username in the form in which two are the same (same_fold): what a sign-in is looked up by.';
comment on column accounts.sign_in_due is 'New, and its guest was not told the sign-in yet. Those from before count as told, and imported ones, where a person is asked.';

CREATE INDEX accounts_customer_id_created_at_id_idx ON public.accounts USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_customer_id_name_id_idx ON public.accounts USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_customer_id_package_id_idx ON public.accounts USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX accounts_customer_id_property_id_created_at_id_idx ON public.accounts USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_customer_id_property_id_username_key_idx ON public.accounts USING btree (customer_id, property_id, username_key) WHERE ((deleted_at IS NULL) AND (username_key IS NOT NULL));
CREATE INDEX accounts_customer_id_room_id_idx ON public.accounts USING btree (customer_id, room_id) WHERE (room_id IS NOT NULL);
CREATE INDEX accounts_customer_id_search_customer_id1_idx ON public.accounts USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX accounts_customer_id_status_created_at_id_idx ON public.accounts USING btree (customer_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_external_reference ON public.accounts USING btree (customer_id, lower(external_reference)) WHERE ((external_reference IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX accounts_name_unique ON public.accounts USING btree (customer_id, property_id, lower(btrim(name))) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX accounts_username_unique ON public.accounts USING btree (customer_id, property_id, lower(btrim(username))) WHERE ((deleted_at IS NULL) AND (username IS NOT NULL));

alter table accounts enable row level security;
alter table accounts force row level security;

create policy app_sees_its_customer on accounts for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on accounts for all to foyer_owner using (true) with check (true);
create policy trials_refused on accounts for update to public using (true) with check ((( SELECT app_trial_id() AS app_trial_id) IS NULL));

CREATE TRIGGER accounts_changed_events AFTER UPDATE ON public.accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_account_events();
CREATE TRIGGER accounts_made_events AFTER INSERT ON public.accounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_account_events();
CREATE TRIGGER change_room_number AFTER UPDATE OF room_id ON public.accounts FOR EACH ROW WHEN ((new.room_id IS DISTINCT FROM old.room_id)) EXECUTE FUNCTION keep_room_number_of_account();
CREATE TRIGGER count_arrivals AFTER INSERT ON public.accounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER count_departures AFTER DELETE ON public.accounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER count_moves AFTER UPDATE ON public.accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER keep_room_number BEFORE INSERT ON public.accounts FOR EACH ROW WHEN ((new.room_id IS NOT NULL)) EXECUTE FUNCTION keep_room_number();
CREATE TRIGGER refuse_second_username AFTER UPDATE OF username, property_id ON public.accounts FOR EACH ROW WHEN (((new.deleted_at IS NULL) AND ((new.username IS DISTINCT FROM old.username) OR (new.property_id <> old.property_id)))) EXECUTE FUNCTION refuse_second_username();
CREATE TRIGGER refuse_second_username_of_new AFTER INSERT ON public.accounts FOR EACH ROW WHEN (((new.username IS NOT NULL) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION refuse_second_username();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE ON public.accounts FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on accounts to foyer_app;
