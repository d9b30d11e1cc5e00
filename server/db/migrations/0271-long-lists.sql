-- Long lists: each way to narrow the lists of sessions and of sign-in attempts has an index in the order of the list, so that what
-- is rare among millions is found without walking past them.

-- One reason, or one way of signing in. Being let in, which most attempts are, is no reason to look for, and writes no line of the
-- first.
create index on radius_authorisations (customer_id, reason, created_at desc, id desc) where reason <> 'accepted';
create index on radius_authorisations (customer_id, auth_method_id, created_at desc, id desc);

-- Of a batch the sessions of each voucher are put together; the index that only finds them goes.
create index on radius_sessions (customer_id, voucher_id, created_at desc, id desc) where voucher_id is not null;
drop index radius_sessions_customer_id_voucher_id_idx;
