-- How a charge differs from the month before, as it was said when it was billed; and the corrected nights, which are few, in an
-- index of their own: each run looks for them.
alter table billing_lines add column why_changed text;
create index on occupancy_nights (customer_id, property_id, night) where version > 1 and not superseded;
