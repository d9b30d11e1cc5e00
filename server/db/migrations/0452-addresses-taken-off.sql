-- Addresses that their holder has taken off a sign-up: until another is given, for seven days, its own browsers alone are signed in.

-- taken_off: the address, which cannot be given again. taken_off_at: null once another was given.
alter table logins add column taken_off text, add column taken_off_at timestamptz;
