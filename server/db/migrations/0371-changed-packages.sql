-- Changed packages: what whoever is online was let in on, where their package has been changed since for the next sign-in only.

-- terms: of the package as it was: {speed_mbps, volume_gb, session_time_hrs}. Nothing: as the package is now.
alter table radius_sessions add column terms jsonb;
create index on radius_sessions (customer_id, package_id) where stopped_at is null and package_id is not null;

-- asked_until: what gateways are asked is paced, over all nodes: the next packet goes out no sooner.
alter table gateways add column asked_until timestamptz;
