-- Counts a customer's or a property's rows that belong to no trial, which are those that lists show. Small, as rows of a property share
-- entries.
-- once
create index concurrently if not exists guests_counted on guests (customer_id, property_id)
  where deleted_at is null and trial_id is null;
