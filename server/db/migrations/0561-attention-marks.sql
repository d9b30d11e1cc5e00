-- Attention marks: what somebody said of an entry of *Needs attention*: that it is dealt with, or that it comes later.

-- kind, about_id: the entry. put_off_until: when it comes again; null if it was dealt with, until it happens anew.
create table attention_marks (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  kind text not null,
  about_id bigint not null,
  put_off_until timestamptz,
  marked_at timestamptz not null default now(),
  -- By name, which stays when the user is gone.
  marked_by text not null,
  unique (customer_id, id),
  constraint attention_marks_once unique (customer_id, kind, about_id)
);
select make_tenant_table('attention_marks');
create index on attention_marks (marked_at);

comment on table attention_marks is 'What somebody said of an entry of Needs attention: dealt with, or put off.';
