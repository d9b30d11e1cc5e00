-- Notes the connections to the books that were there before: the trigger does, for whichever is not noted.
-- table: accounting_integrations
update accounting_integrations t set active = active where customer_id = $1 and id > $2 and id <= $3
  and not exists (select from connections c where c.customer_id = t.customer_id and c.kind = 'accounting' and c.own_id = t.id);
