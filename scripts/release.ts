// Release: the one before, which nodes of this program run beside. Whoever makes a release names its last migration here, and empties
// the lists, and those of test/proofs/upgrade-explained.ts.

/** Migrations after it are not released: their functions still stand in them, and they must leave this release what it needs. */
export const released_migration = '0419-forget-problems'

/** What the release before does not use although it is there, each with the reason (test/expansion.test.ts prints the lines). */
export const contracted: Record<string, string> = {
  'gone: DELETE on night_ledgers for foyer_app': 'nobody deletes ledgers',
  'gone: INSERT on night_ledgers for foyer_app': 'functions of the database write it, in the release before, too',
  'gone: UPDATE on night_ledgers for foyer_app': 'what the release before locks, it locks by the right to one column',
  'gone: unique CREATE UNIQUE INDEX guest_days_pkey ON public.guest_days USING btree (id)':
    'nobody looks one up by its id alone',
  'gone: unique CREATE UNIQUE INDEX guest_first_days_pkey ON public.guest_first_days USING btree (id)':
    'nobody looks one up by its id alone',
  'new: constraint oauth_states_kind_check on oauth_states': 'it allows more kinds than before',
  'new: constraint radius_authorisations_reason on radius_authorisations': 'it allows more reasons than before',
  'new: constraint undelivered_kind_check on undelivered': 'it allows more kinds than before',
  'new: constraint undelivered_why_check on undelivered': 'it allows more reasons than before',
}

/** Long work of migrations on tables that are small everywhere, each with the reason. */
export const long_work: Record<string, string> = {
  '0420-what-leaves builds an index of outbox_mails: in server/db/backfills, concurrently': 'what waits to be sent',
  '0420-what-leaves builds an index of outbox_texts: in server/db/backfills, concurrently': 'what waits to be sent',
  '0420-what-leaves reads outbox_mails: in server/db/backfills, in chunks': 'what waits to be sent',
  '0420-what-leaves reads outbox_texts: in server/db/backfills, in chunks': 'what waits to be sent',
  '0420-what-leaves reads undelivered: in server/db/backfills, in chunks': 'a few weeks of what was not delivered',
  '0421-owners-of-schedules builds an index of reports: in server/db/backfills, concurrently': 'hundreds at most',
  '0421-owners-of-schedules reads reports: in server/db/backfills, in chunks': 'hundreds at most',
  '0421-owners-of-schedules builds an index of report_runs: in server/db/backfills, concurrently':
    'a few weeks of runs',
  '0421-owners-of-schedules reads report_runs: in server/db/backfills, in chunks': 'a few weeks of runs',
  '0422-receivers-of-reports reads reports: in server/db/backfills, in chunks': 'hundreds at most',
  '0422-receivers-of-reports reads report_stops: in server/db/backfills, in chunks': 'hundreds at most',
  '0431-counted-hours reads customer_hours: in server/db/backfills, in chunks': 'an hour of a customer each',
  '0436-complete-to builds an index of report_runs: in server/db/backfills, concurrently': 'a few weeks of runs',
  '0436-complete-to reads report_runs: in server/db/backfills, in chunks': 'a few weeks of runs',
  '0440-audience-members builds an index of marketing_members: in server/db/backfills, concurrently':
    'those of connected audiences',
  '0440-audience-members reads marketing_members: in server/db/backfills, in chunks': 'those of connected audiences',
  '0530-consents-of-systems builds an index of integration_tokens: in server/db/backfills, concurrently':
    'hundreds at most',
  '0530-consents-of-systems reads integration_tokens: in server/db/backfills, in chunks': 'hundreds at most',
  '0530-consents-of-systems reads oauth_states: in server/db/backfills, in chunks': 'those of a day',
  '0621-property-systems-are-connections builds an index of connections: in server/db/backfills, concurrently':
    'hundreds at most',
  '0430-nights-by-property reads properties: in server/db/backfills, in chunks': 'thousands at most',
  '0620-consents-of-connections builds an index of integration_tokens: in server/db/backfills, concurrently':
    'hundreds at most, and none is in it yet',
  '0620-consents-of-connections reads integration_tokens: in server/db/backfills, in chunks': 'hundreds at most',
  '0620-consents-of-connections reads oauth_states: in server/db/backfills, in chunks': 'those of a day',
  '0621-property-systems-are-connections reads connections: in server/db/backfills, in chunks':
    'hundreds at most, and none has a package yet',
  '0629-searched-by-their-index reads searched_tables: in server/db/backfills, in chunks': 'a row for each table',
  '0535-samples builds an index of customers: in server/db/backfills, concurrently':
    'thousands at most, and none is in it yet',
  '0535-samples reads customers: in server/db/backfills, in chunks': 'thousands at most',
}
