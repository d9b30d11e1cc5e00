-- A row of packed sessions is cut only where one of them is to be forgotten: a long one, which began long before, must not have it cut
-- again and again.
alter table packed_sessions add column first_over_at timestamptz;
comment on column packed_sessions.first_over_at is 'When the first of them to end was over; null: of rows from before it was kept.';
