-- Made since: in which session somebody did what the log says, and when a login's password was last changed.

-- session: the handle of it, also when it is over; null where no session was.
alter table activity add column session uuid;

-- null: not since the login was made.
alter table logins add column password_changed_at timestamptz;
