-- Samples: an invented hotel to look at, in a customer of its own. What that customer sees, counts and would send stays in it, and goes with
-- it (decision 175).

-- sample_of: the customer for whose people it was made. sample_day: the day by which its stays are dated.
alter table customers add column sample_of integer references customers (id), add column sample_day date;
create index on customers (sample_of) where sample_of is not null;

create function is_sample(customer integer) returns boolean language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from customers c where c.id = customer and c.sample_of is not null)
$$;
grant execute on function is_sample(integer) to foyer_app;

-- All that leaves is due work: mails, texts, calls of webhooks and of providers.
create trigger samples_send_nothing before insert on due_work for each row when (is_sample(new.customer_id)) execute function leave_alone();

-- In a sample people have a role of its own, as long as they belong to the customer that it is for.
create or replace view acting_users as
  select u.login_id, u.id as user_id, u.customer_id, c.name as customer_name, u.group_id, u.property_id,
    coalesce(g.name, p.name, c.name) as owner_name, u.user_type_id, case when c.sample_of is null then t.role else 'sample' end as role,
    u.name, u.email,
    c.second_factor_required and not exists (
      select from second_factors f where f.login_id = u.login_id and f.confirmed_at is not null) as second_factor_due,
    c.confirmed_at is null as mails_wait
  from users u
  join customers c on c.id = u.customer_id and c.active and c.deleted_at is null
  join user_types t on t.id = u.user_type_id
  left join groups g on g.customer_id = u.customer_id and g.id = u.group_id
  left join properties p on p.customer_id = u.customer_id and p.id = u.property_id
  where u.active and not u.draft and u.deleted_at is null and u.package_id is null
    and (u.group_id is null or (g.deleted_at is null and g.id is not null))
    and (u.property_id is null or (p.deleted_at is null and p.id is not null))
    and (c.sample_of is null or exists (select from users o join customers k on k.id = o.customer_id and k.active and k.deleted_at is null
      where o.customer_id = c.sample_of and o.login_id = u.login_id and o.active and not o.draft and o.deleted_at is null));
