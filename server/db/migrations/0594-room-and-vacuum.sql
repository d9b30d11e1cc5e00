-- Room and vacuum: what grows with each session is cleaned when a twentieth has changed, not a fifth, so that the room of former versions is
-- used again within weeks and not within months.

alter table radius_sessions set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
alter table session_addresses set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
