-- The names by which gateways of before have hosts of their own.
-- table: gateways
update gateways set portal_label = left(replace(gen_random_uuid()::text, '-', ''), 20)
where customer_id = $1 and id > $2 and id <= $3 and portal_label is null;
