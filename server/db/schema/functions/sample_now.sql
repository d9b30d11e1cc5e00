-- The sample of the caller's customer: the person's user in it, and what people have made there and not taken away again.

CREATE OR REPLACE FUNCTION public.sample_now(person integer)
 RETURNS TABLE(user_id integer, made_at timestamp with time zone, added jsonb, changed integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select (select u.id from users u join users o on o.customer_id = c.sample_of and o.id = person and o.login_id = u.login_id
      where u.customer_id = c.id and u.deleted_at is null limit 1), c.created_at,
    coalesce((select jsonb_agg(jsonb_build_object('kind', a.object_type, 'name', a.object_name, 'by', a.actor_name, 'at', a.created_at)
        order by a.created_at desc, a.id desc)
      from activity a where a.customer_id = c.id and a.principal_kind = 'user' and a.action in ('create', 'import')
        and not exists (select from activity d where d.customer_id = c.id and d.action = 'delete' and d.object_type = a.object_type
          and d.object_id = a.object_id and d.id > a.id)), '[]'),
    (select count(distinct (a.object_type, a.object_id))::integer from activity a
      where a.customer_id = c.id and a.principal_kind = 'user' and a.object_type is not null
        and a.action in ('update', 'activate', 'deactivate', 'delete'))
  from customers c where c.sample_of = app_customer_id() and c.sample_day is not null
$function$
;

grant execute on function sample_now(integer) to foyer_app;
