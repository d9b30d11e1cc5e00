-- Keys in doubt: a key that was taken before may be changed at the other side. It is tried once more after a link that did not come up,
-- and then no more.
alter table property_links add column key_doubted boolean not null default false;
