-- Counted anew: a controller that is told other limits of a guest whom it has let in counts them from nothing again.

-- counted_from: when its present count began, by its own clock. bytes_up_before, bytes_down_before: what its former counts had come to.
alter table controller_grants
  add column counted_from double precision,
  add column bytes_up_before bigint not null default 0,
  add column bytes_down_before bigint not null default 0;
