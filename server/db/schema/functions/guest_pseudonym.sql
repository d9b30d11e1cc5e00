-- The pseudonym of a guest in sums by day: a keyed hash of guest, account, voucher, device or MAC address, whichever is known first. It is
-- the same at all properties of a customer and differs between customers.

CREATE OR REPLACE FUNCTION public.guest_pseudonym(customer integer, guest bigint, account integer, voucher bigint, device integer, mac macaddr)
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select substr(sha256(k.key || convert_to(customer || ' ' || case
    when guest is not null then 'guest ' || guest
    when account is not null then 'account ' || account
    when voucher is not null then 'voucher ' || voucher
    when device is not null then 'device ' || device
    else 'mac ' || mac end, 'UTF8')), 1, 16)
  from pseudonym_key k
$function$
;

grant execute on function guest_pseudonym(integer,bigint,integer,bigint,integer,macaddr) to foyer_app;
