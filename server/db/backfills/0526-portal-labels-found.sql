-- Finds the gateway whose own host a guest came to.
-- once
create unique index concurrently if not exists gateways_portal_label_unique on gateways (portal_label);
