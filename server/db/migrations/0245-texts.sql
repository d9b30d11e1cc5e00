-- Text messages (SMS): stored with the change that causes them and sent by a job, as mails are.

create table outbox_texts (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  -- In E.164: a plus, the country and the number, digits alone.
  mobile_number text not null,
  text text not null,
  attempts integer not null default 0,
  -- A code that has run out is not sent any more.
  good_until timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  unique (customer_id, id)
);
create index on outbox_texts (customer_id, created_at);
create index on outbox_texts (created_at);
select make_tenant_table('outbox_texts');
