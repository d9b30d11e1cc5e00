-- Written by `npm run tables` from what the migrations made, never by hand.

create table hour_ledgers (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  counted_until timestamp with time zone not null,
  constraint hour_ledgers_pkey PRIMARY KEY (id),
  constraint hour_ledgers_customer_id_id_key UNIQUE (customer_id, id),
  constraint hour_ledgers_customer_id_key UNIQUE (customer_id),
  constraint hour_ledgers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table hour_ledgers is 'Until when the hours of each customer are counted.';
comment on column hour_ledgers.counted_until is 'Hours that ended until then are counted.';

alter table hour_ledgers enable row level security;
alter table hour_ledgers force row level security;

create policy app_sees_its_customer on hour_ledgers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on hour_ledgers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.hour_ledgers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on hour_ledgers to foyer_app;
