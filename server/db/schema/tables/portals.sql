-- Written by `npm run tables` from what the migrations made, never by hand.

create table portals (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  public_id text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  slug text not null,
  name text not null,
  company_name text,
  group_id integer,
  portal_type_id integer not null default 1,
  portal_layout_id integer not null default 1,
  portal_font_id integer not null default 1,
  auth_method_ids integer[] not null default '{}'::integer[],
  custom_portal_url text,
  is_custom boolean not null default false,
  portal_footer text,
  redirect_url text not null default ''::text,
  headline text not null default 'Sign in to join WiFi'::text,
  headline_text_colour colour not null default '#1A1A1A'::text,
  background_colour colour not null default '#FFFFFF'::text,
  button_fill_colour colour not null default '#2671FF'::text,
  button_text_colour colour not null default '#FFFFFF'::text,
  body_text_colour colour not null default '#000000'::text,
  input_outline_colour colour not null default '#000000'::text,
  form_container_colour colour not null default '#FFFFFF'::text,
  form_field_colour colour not null default '#FFFFFF'::text,
  logo_file_id integer,
  portal_image_file_id integer,
  custom_file_id integer,
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
  terms text,
  terms_version integer not null default 0,
  privacy_url text,
  marketing_text text,
  zip_number integer,
  search text not null generated always as (search_text(lower((((((' '::text || name) || ' '::text) || slug) || ' '::text) || COALESCE(company_name, ''::text))))) stored,
  headlines jsonb not null default '{}'::jsonb,
  constraint portals_pkey PRIMARY KEY (id),
  constraint portals_customer_id_id_key UNIQUE (customer_id, id),
  constraint portals_public_id_key UNIQUE (public_id),
  constraint portals_auth_method_ids_check CHECK ((auth_method_ids <@ ARRAY[1, 2, 3, 4, 5, 6, 7, 8])),
  constraint portals_customer_id_custom_file_id_fkey FOREIGN KEY (customer_id, custom_file_id) REFERENCES files(customer_id, id),
  constraint portals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint portals_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE SET NULL (group_id),
  constraint portals_customer_id_logo_file_id_fkey FOREIGN KEY (customer_id, logo_file_id) REFERENCES files(customer_id, id),
  constraint portals_customer_id_portal_image_file_id_fkey FOREIGN KEY (customer_id, portal_image_file_id) REFERENCES files(customer_id, id),
  constraint portals_portal_font_id_fkey FOREIGN KEY (portal_font_id) REFERENCES portal_fonts(id),
  constraint portals_portal_layout_id_fkey FOREIGN KEY (portal_layout_id) REFERENCES portal_layouts(id),
  constraint portals_portal_type_id_fkey FOREIGN KEY (portal_type_id) REFERENCES portal_types(id)
);

comment on table portals is 'Pages that guests see before they go online.';
comment on column portals.public_id is 'The part of the guest''s address that nobody guesses.';
comment on column portals.slug is 'The customer''s own short name.';
comment on column portals.terms_version is 'The number of the present wording of the terms.';
comment on column portals.zip_number is 'The import of custom pages that is shown.';
comment on column portals.headlines is 'The headline by language.';

CREATE INDEX portals_customer_id_created_at_id_idx ON public.portals USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX portals_customer_id_custom_file_id_idx ON public.portals USING btree (customer_id, custom_file_id) WHERE (custom_file_id IS NOT NULL);
CREATE INDEX portals_customer_id_group_id_created_at_id_idx ON public.portals USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX portals_customer_id_logo_file_id_idx ON public.portals USING btree (customer_id, logo_file_id) WHERE (logo_file_id IS NOT NULL);
CREATE INDEX portals_customer_id_portal_image_file_id_idx ON public.portals USING btree (customer_id, portal_image_file_id) WHERE (portal_image_file_id IS NOT NULL);
CREATE INDEX portals_customer_id_search_customer_id1_idx ON public.portals USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE UNIQUE INDEX portals_name_unique ON public.portals USING btree (customer_id, lower(name)) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX portals_slug_unique ON public.portals USING btree (customer_id, lower(slug)) WHERE (deleted_at IS NULL);

alter table portals enable row level security;
alter table portals force row level security;

create policy app_sees_its_customer on portals for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on portals for all to foyer_owner using (true) with check (true);

CREATE TRIGGER let_go_of_portal_files AFTER UPDATE OF deleted_at ON public.portals FOR EACH ROW WHEN ((new.deleted_at IS NOT NULL)) EXECUTE FUNCTION let_go_of_portal_files();
CREATE TRIGGER let_go_of_portal_pictures BEFORE UPDATE OF deleted_at ON public.portals FOR EACH ROW WHEN ((new.deleted_at IS NOT NULL)) EXECUTE FUNCTION let_go_of_portal_pictures();
CREATE TRIGGER portals_changed_states AFTER UPDATE ON public.portals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_portals();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.portals FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on portals to foyer_app;
