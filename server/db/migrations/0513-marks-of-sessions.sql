-- Marks of trials: where a gateway's sign-ins and sessions are kept.
select make_trial_table('radius_authorisations'), make_trial_table('radius_sessions');
select make_refusing_trials('radius_sessions', 'or trial_id = (select app_trial_id())');
