-- Live sessions: the lists of sessions and sign-in attempts that are narrowed to one way of signing in.

create index on radius_sessions (customer_id, auth_method_id, created_at desc, id desc);
