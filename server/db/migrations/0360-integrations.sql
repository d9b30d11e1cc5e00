-- Integrations: what a connection knows of its provider, when it is looked at next, and how its tokens are renewed by one at a time.

-- needs_reconnect: consent has ended, and nothing is asked until a person gives it anew. next_sync_at: when a job looks next.
-- The lists are the provider's, as they were read last. contacts_since: contacts that changed later are still to be read.
alter table accounting_integrations
  add column scopes text,
  add column organisations jsonb not null default '[]',
  add column accounts jsonb not null default '[]',
  add column tax_types jsonb not null default '[]',
  add column account_code text,
  add column tax_type text,
  add column invoice_per text not null default 'property' check (invoice_per in ('property', 'contact')),
  add column needs_reconnect boolean not null default false,
  add column next_sync_at timestamptz,
  add column failures integer not null default 0,
  add column contacts_since timestamptz;
create index on accounting_integrations (next_sync_at) where next_sync_at is not null and deleted_at is null;

alter table marketing_integrations
  add column audiences jsonb not null default '[]',
  add column needs_reconnect boolean not null default false,
  add column next_sync_at timestamptz,
  add column failures integer not null default 0,
  add column changes_since timestamptz;
create index on marketing_integrations (next_sync_at) where next_sync_at is not null and deleted_at is null;

-- The provider's contact that took this one's place.
alter table accounting_contacts add column merged_into text;

-- Who renews them now, and until when others wait for that.
alter table integration_tokens
  add column renewal uuid,
  add column renewing_until timestamptz;
grant select (renewal, renewing_until) on integration_tokens to foyer_app;

-- A walk is the person's, in whichever window they come back; integration_id: the connection that is to be had anew.
alter table oauth_states
  drop column session_token_hash,
  add column integration_id integer;

-- The sealed tokens of one of the customer's connections: an accounting one by its id, a marketing one by its id turned negative.
create function integration_secrets(connection integer)
returns table (sealed_access_token bytea, sealed_refresh_token bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.sealed_access_token, t.sealed_refresh_token from integration_tokens t
  where t.customer_id = app_customer_id() and coalesce(t.accounting_integration_id, -t.marketing_integration_id) = connection
$$;

create function begin_connection(state bytea, person integer, what text, provider text, verifier bytea, again integer, good_for_s integer)
returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from oauth_states where expires_at < now() - interval '1 day';
  insert into oauth_states (state_hash, customer_id, user_id, kind, integration_type, sealed_code_verifier, integration_id, expires_at)
    values (state, app_customer_id(), person, what, provider, verifier, again, now() + make_interval(secs => good_for_s));
end $$;

-- Once, and only for the person who set out.
create function finish_connection(state bytea, person integer, what text)
returns table (integration_type text, sealed_code_verifier bytea, integration_id integer)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update oauth_states o set used_at = now()
  where o.state_hash = state and o.customer_id = app_customer_id() and o.user_id = person and o.kind = what
    and o.used_at is null and o.expires_at > now()
  returning o.integration_type, o.sealed_code_verifier, o.integration_id
$$;
grant execute on function integration_secrets(integer),
  begin_connection(bytea, integer, text, text, bytea, integer, integer), finish_connection(bytea, integer, text) to foyer_app;

-- Connections that are to be looked at, those that have waited longest first.
create function door_due_integrations(rows_max integer) returns table (customer_id integer, kind text, integration_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.customer_id, d.kind, d.id from (
    select a.customer_id, 'accounting' as kind, a.id, a.next_sync_at from accounting_integrations a
      where a.next_sync_at <= now() and a.deleted_at is null and not a.needs_reconnect
    union all
    select m.customer_id, 'marketing', m.id, m.next_sync_at from marketing_integrations m
      where m.next_sync_at <= now() and m.deleted_at is null and not m.needs_reconnect) d
  join customers c on c.id = d.customer_id and c.active and c.deleted_at is null
  order by d.next_sync_at limit rows_max
$$;
grant execute on function door_due_integrations(integer) to foyer_app;

-- How far each guest who agreed has gone on the way to an audience. The address stands with the guest alone: a guest who is erased
-- leaves the key that the provider knows them by, until they are erased there, too.
create table marketing_members (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  marketing_integration_id integer not null,
  guest_id bigint,
  subscriber_key text not null,
  consent_record_id bigint,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'unsubscribed', 'leaving')),
  reason text,
  attempts integer not null default 0,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, marketing_integration_id, guest_id),
  foreign key (customer_id, marketing_integration_id) references marketing_integrations (customer_id, id) on delete cascade,
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete set null (guest_id),
  foreign key (customer_id, consent_record_id) references consent_records (customer_id, id) on delete set null (consent_record_id)
);
create index on marketing_members (customer_id, guest_id);
create index on marketing_members (customer_id, consent_record_id);
create index on marketing_members (customer_id, marketing_integration_id, state, id);
create index on marketing_members (customer_id, marketing_integration_id, subscriber_key);
select make_tenant_table('marketing_members'), make_list('marketing_members', 'marketing_integration_id');
