-- Customers whose voucher codes are to be sealed: with are_plain, while nodes of a former release write plain codes, all who have vouchers,
-- so that those are sealed, too; else those who still have a plain code. Asked by the job that seals codes.

CREATE OR REPLACE FUNCTION public.door_customers_of_codes(are_plain boolean)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select c.id from customers c where are_plain and exists (select from vouchers v where v.customer_id = c.id)
  union
  select v.customer_id from vouchers v where not are_plain and v.code is not null
$function$;
