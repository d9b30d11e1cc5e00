-- Marks of trials: where a gateway's arrivals are kept. Few tables in one transaction, as it holds their locks until its end.
select make_trial_table('gateways'), make_trial_table('access_passes');
select make_refusing_trials('gateways', 'or trial_id = (select app_trial_id())');
