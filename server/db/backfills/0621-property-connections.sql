-- Notes the property systems that were there before: the trigger does, for whichever is not noted.
-- table: property_interfaces
update property_interfaces t set active = active where customer_id = $1 and id > $2 and id <= $3
  and not exists (select from connections c where c.customer_id = t.customer_id and c.kind = 'property' and c.own_id = t.id);
