-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_links (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_id integer not null,
  state text not null default 'never'::text,
  since timestamp with time zone not null default now(),
  heard_at timestamp with time zone,
  last_error text,
  holder uuid,
  held_until timestamp with time zone,
  wants_all boolean not null default true,
  pending jsonb,
  pending_moves_out integer,
  asked_until timestamp with time zone,
  asked_as text,
  listed_at timestamp with time zone,
  key_tried text,
  key_taken text,
  key_doubted boolean not null default false,
  doubt text,
  read_as text,
  constraint property_links_pkey PRIMARY KEY (id),
  constraint property_links_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_links_customer_id_property_interface_id_key UNIQUE (customer_id, property_interface_id),
  constraint property_links_state_check CHECK ((state = ANY (ARRAY['never'::text, 'up'::text, 'down'::text]))),
  constraint property_links_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_links_customer_id_property_interface_id_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table property_links is 'How each link stands: which node keeps it, until when, and what waits for a person.';
comment on column property_links.heard_at is 'When the system last said anything.';
comment on column property_links.holder is 'The node that keeps it.';
comment on column property_links.held_until is 'When another node may take the link.';
comment on column property_links.wants_all is 'All stays are to be asked for: our record is new or may have lost something.';
comment on column property_links.pending is 'A whole list that would empty many rooms, as it was told.';
comment on column property_links.pending_moves_out is 'How many guests the pending list would move out.';
comment on column property_links.asked_until is 'Up to when a polled system was asked what has changed, by its clock.';
comment on column property_links.asked_as is 'What it was asked as: under other settings all stays are asked for anew.';
comment on column property_links.key_tried is 'A hash of the key that a link was last tried with.';
comment on column property_links.key_taken is 'A hash of the key with which a link last came up.';
comment on column property_links.key_doubted is 'The key that was taken before did not bring the link up: it is tried once more.';
comment on column property_links.doubt is 'What a person should look into although the link is up, until a whole list is taken in without it.';
comment on column property_links.read_as is 'A hash of the settings by which the system was last read: by others all stays are told anew.';

alter table property_links enable row level security;
alter table property_links force row level security;

create policy app_sees_its_customer on property_links for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_links for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_links FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_links to foyer_app;
