-- Proofs: when the password was last given in a session, of which some calls want one that is not older than an hour.

-- null: at the sign-in, created_at.
alter table sessions add column proven_at timestamptz;
