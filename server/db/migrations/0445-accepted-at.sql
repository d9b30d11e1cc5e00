-- When the Accept that a session's Class names was given: no report of the session reaches further back. Null for sessions that name
-- none, and for those from before.
alter table radius_sessions add column accepted_at timestamptz;
