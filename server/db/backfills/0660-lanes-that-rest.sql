-- Finds what rests in a lane.
-- once
create index concurrently if not exists due_work_resting on due_work (customer_id, kind, lane, next_at, id) where rests;
