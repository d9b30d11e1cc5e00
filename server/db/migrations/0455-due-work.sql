-- Due work: what is done later, of every kind: what is due and when, how often it was tried, and whose turn it is to try.

-- kind: of server/apps/due-kinds.ts. about_id: the row of the kind's own table, which holds what is to be done. lane: what shares one
-- other side, such as a connection. state: `waiting`, `trying`, `failed` when it was given up, `unknown` when nobody can tell whether it
-- was done. tries: those that count. next_at: when it is due; while it is tried, when another node may take it. lease: of the try that is
-- under way. is_unsure: a try of which no answer came may have done it.
create table due_work (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers (id),
  kind text not null,
  about_id bigint not null,
  lane text,
  urgent boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'trying', 'failed', 'unknown')),
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  lease uuid,
  is_unsure boolean not null default false,
  last_error text,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  constraint due_work_once unique (customer_id, kind, about_id),
  constraint due_work_lease_check check ((state = 'trying') = (lease is not null))
);
select make_tenant_table('due_work');

-- What is due of a kind, by customer.
create index due_work_due on due_work (kind, urgent, customer_id, next_at, id) where state in ('waiting', 'trying');
create index on due_work (customer_id, created_at desc, id desc);
create index on due_work (customer_id, lane) where lane is not null;
