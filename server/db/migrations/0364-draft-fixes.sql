-- Where a person puts right what the books have not taken: at the property's contact, or at the connection.
alter table billing_invoices add column last_fix text check (last_fix in ('contact', 'connection'));
