-- Lists in another order than the newest first, and of one status: read from an index like the others, page by page.
--
-- The status stands first for a list of drafts among a hundred thousand. Small tables need neither.

create index on properties (customer_id, name, id) where deleted_at is null;
create index on properties (customer_id, status, created_at desc, id desc) where deleted_at is null;
create index on accounts (customer_id, name, id) where deleted_at is null;
create index on accounts (customer_id, status, created_at desc, id desc) where deleted_at is null;
create index on users (customer_id, name, id) where deleted_at is null;
create index on groups (customer_id, name, id) where deleted_at is null;
create index on packages (customer_id, name, id) where deleted_at is null;
