-- Written by `npm run tables` from what the migrations made, never by hand.

create table used_quotas (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  quota text not null,
  used bigint not null,
  until timestamp with time zone not null,
  constraint used_quotas_pkey PRIMARY KEY (id),
  constraint used_quotas_customer_id_id_key UNIQUE (customer_id, id),
  constraint used_quotas_customer_id_quota_key UNIQUE (customer_id, quota),
  constraint used_quotas_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
) with (fillfactor=70);

comment on table used_quotas is 'What a customer has used of what it may do in a day or an hour.';
comment on column used_quotas.quota is 'What is counted, and of whom.';
comment on column used_quotas.until is 'When counting begins anew.';

CREATE INDEX used_quotas_until_idx ON public.used_quotas USING btree (until);

alter table used_quotas enable row level security;
alter table used_quotas force row level security;

create policy app_sees_its_customer on used_quotas for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on used_quotas for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.used_quotas FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on used_quotas to foyer_app;
