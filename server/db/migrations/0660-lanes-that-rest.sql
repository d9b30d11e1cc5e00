-- A lane whose other side does not answer was put off whole at each try: a receiver that is down cost as many changed rows every half
-- minute as had gathered for it. Now its work rests, and one piece of it asks.

alter table due_work add column rests boolean not null default false;
comment on column due_work.rests is
  'The other side of its lane does not answer, and another piece of it asks: it is due when that is answered, at the latest at next_at.';
