-- Drafts are asked for: who had a run sent to the books, and by which right; both are asked again when a draft goes.
alter table billing_invoices
  add column asked_by_user_id integer,
  add column asked_by_key_id integer,
  add column asked_right text;
