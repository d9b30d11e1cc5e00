-- Finds the guests of a stay.
-- once
create index concurrently if not exists room_guests_customer_id_stay_id_idx on room_guests (customer_id, stay_id) where stay_id is not null;
