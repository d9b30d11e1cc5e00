-- Marks of trials: where a gateway's sign-ins and sessions are kept.
select make_trial_table(name::regclass) from unnest(array['gateways', 'access_passes', 'radius_authorisations', 'radius_sessions']) as t (name);
select make_refusing_trials(name::regclass, 'or trial_id = (select app_trial_id())') from unnest(array['gateways', 'radius_sessions']) as t (name);
