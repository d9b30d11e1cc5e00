-- Boxes that poll: an openNDS fetches from the portal whom it is to let in. polls_as: the names by which it asks, learnt from its
-- redirects, the newest first; polled_from: where it asked from, so that nobody else takes what is meant for it.
alter table gateway_controllers add column polls_as text[] not null default '{}', add column polled_from inet, add column polled_at timestamptz;
