-- Counts a customer's or a property's rows that belong to no trial, which are those that lists show. Small, as rows of a property share
-- entries.
-- once
create index concurrently if not exists radius_authorisations_counted on radius_authorisations (customer_id, property_id)
  where trial_id is null;
