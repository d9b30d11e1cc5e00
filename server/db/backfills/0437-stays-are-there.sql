-- A guest's stay is one of the same customer.
-- once
alter table room_guests validate constraint room_guests_customer_id_stay_id_fkey;
