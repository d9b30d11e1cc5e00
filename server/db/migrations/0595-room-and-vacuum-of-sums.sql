-- Room and vacuum of sums: cleaned as sessions are; and none is looked up by its id alone.

alter table usage_periods set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table guest_days set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table guest_days drop constraint guest_days_pkey;
alter table guest_first_days drop constraint guest_first_days_pkey;
