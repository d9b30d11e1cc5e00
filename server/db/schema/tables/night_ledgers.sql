-- Written by `npm run tables` from what the migrations made, never by hand.

create table night_ledgers (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  begins_on date not null,
  kept_from date not null,
  kept_until date not null,
  created_at timestamp with time zone not null default now(),
  constraint night_ledgers_pkey PRIMARY KEY (id),
  constraint night_ledgers_customer_id_id_key UNIQUE (customer_id, id),
  constraint night_ledgers_customer_id_property_id_key UNIQUE (customer_id, property_id),
  constraint night_ledgers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint night_ledgers_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table night_ledgers is 'From when a property has nights, since when they are kept, and until when that is done. It stays when the property is removed.';
comment on column night_ledgers.begins_on is 'The first date that the property has a night of.';
comment on column night_ledgers.kept_from is 'The first date from which nights are written.';
comment on column night_ledgers.kept_until is 'The last date whose night is written.';

alter table night_ledgers enable row level security;
alter table night_ledgers force row level security;

create policy app_sees_its_customer on night_ledgers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on night_ledgers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.night_ledgers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant select on night_ledgers to foyer_app;
