-- Portal hosts: the name by which each gateway has a host of its own for guests' pages, under PORTAL_HOSTS.

-- Unguessable, so that nobody finds out whose gateways there are. Those of before are filled by a backfill.
alter table gateways add column portal_label text;
alter table gateways alter column portal_label set default left(replace(gen_random_uuid()::text, '-', ''), 20);
