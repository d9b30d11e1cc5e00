-- Finds the lines of the log that may name a guest who is erased.
-- once
create index concurrently if not exists activity_naming_guests on activity (customer_id)
  where after ?| array['mailed_to', 'sign_in_mailed_to', 'slip_sent_to', 'let_try_again', 'device_forgotten', 'searchValue'];
drop index concurrently if exists activity_customer_id_idx;
