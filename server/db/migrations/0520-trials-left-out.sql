-- Trials are left out of the last tables.
select leave_trials_out_before('{');
drop function leave_trials_out_before(text);
