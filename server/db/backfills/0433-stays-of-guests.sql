-- Gives the guests who are there, or are to come, their stays: the trigger does, for whoever has none.
-- table: room_guests
update room_guests set stay_id = null where customer_id = $1 and id > $2 and id <= $3 and stay_id is null and deleted_at is null;
