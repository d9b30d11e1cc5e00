-- Shift notes: what one shift at a property's desk writes for the next, until somebody has dealt with it.
create table shift_notes (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  property_id integer not null,
  text text not null,
  -- By name, which stays when the user is gone.
  written_by text not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  done_by text,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('shift_notes');
select make_list('shift_notes', 'property_id');
