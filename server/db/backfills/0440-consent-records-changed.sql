-- Finds the consents that were changed since an audience was looked at.
-- once
create index concurrently if not exists consent_records_changed_idx
  on consent_records (customer_id, greatest(created_at, confirmed_at, withdrawn_at))
  where purpose = 'marketing_email';
