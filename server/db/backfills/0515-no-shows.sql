-- Finds those who did not come to a property, for the desk's day.
-- once
create index concurrently if not exists stays_no_shows_idx on stays (customer_id, property_id, departs_on) where no_show;
