-- A demo that is started again some days later: shifts its stays by that number of days, and puts guests online.
-- `$customer` and the number of `$days` are filled in by scripts/demo.ts.

update room_guests set arrives_on = arrives_on + $days, departs_on = departs_on + $days, checked_in_at = checked_in_at + $days * interval '1 day'
where customer_id = $customer and deleted_at is null and arrives_on is not null;

select put_guests_online($customer, 2);
