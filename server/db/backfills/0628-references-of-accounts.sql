-- Finds accounts by the reference that another system knows them by.
-- once
create index concurrently if not exists accounts_external_reference on accounts (customer_id, lower(external_reference))
  where external_reference is not null and deleted_at is null;
