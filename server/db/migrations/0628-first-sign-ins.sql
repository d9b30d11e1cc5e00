-- A new account's guest is told the sign-in once, when it can be used first: that may be later than the account is made.

alter table accounts add column sign_in_due boolean not null default false;
comment on column accounts.sign_in_due is
  'New, and its guest was not told the sign-in yet. Those from before count as told, and imported ones, where a person is asked.';
