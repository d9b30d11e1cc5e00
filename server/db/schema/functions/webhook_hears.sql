-- Whether a webhook is told of an event: of its types, and where it belongs to a group or property, of that one's. Asked when the event is
-- recorded and again when it is sent.

CREATE OR REPLACE FUNCTION public.webhook_hears(hook webhooks, type text, group_id integer, property_id integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select webhook_hears.type = any (hook.events) and case
    when hook.property_id is not null then coalesce(hook.property_id = webhook_hears.property_id, false)
    when hook.group_id is not null then coalesce(hook.group_id = coalesce(
      (select p.group_id from properties p where p.customer_id = hook.customer_id and p.id = webhook_hears.property_id),
      webhook_hears.group_id), false)
    else true end
$function$
;

grant execute on function webhook_hears(webhooks,text,integer,integer) to foyer_app;
