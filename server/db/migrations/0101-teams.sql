-- Teams: their list in order of name.

create index on teams (customer_id, name, id) where deleted_at is null;
