-- Trials are left out of the next tables.
select leave_trials_out_before('h');
