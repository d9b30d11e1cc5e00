-- Finds the guest whom a provider knows by the key of an address.
-- once
create index concurrently if not exists guests_of_subscriber on guests (customer_id, md5(lower(email)))
  where email is not null and deleted_at is null;
