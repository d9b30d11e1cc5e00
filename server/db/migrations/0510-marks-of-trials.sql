-- Marks of trials: where a gateway's sign-ins and sessions are kept.
select make_trial_table(name::regclass) from unnest(array['gateways', 'access_passes', 'radius_authorisations', 'radius_sessions']) as t (name);
