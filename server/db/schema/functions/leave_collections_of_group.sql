-- Trigger of a property that is in another group: it leaves the collections of the former group, and so do its users.

CREATE OR REPLACE FUNCTION public.leave_collections_of_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from collection_properties as m using collections as c
    where m.customer_id = new.customer_id and m.property_id = new.id
      and c.customer_id = m.customer_id and c.id = m.collection_id and c.group_id <> coalesce(new.group_id, 0);
  delete from collection_users as m using collections as c, users as u
    where u.customer_id = new.customer_id and u.property_id = new.id and m.customer_id = u.customer_id and m.user_id = u.id
      and c.customer_id = m.customer_id and c.id = m.collection_id and c.group_id <> coalesce(new.group_id, 0);
  return null;
end $function$;
