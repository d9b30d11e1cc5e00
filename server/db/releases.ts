// Releases: whether this program and a database fit together. A release changes a database in such a way that nodes of the release
// before go on working, so that an installation is upgraded node by node; older ones do not.
import type { Client } from 'pg'
import { CannotStart } from '#server/start/cannot-start.ts'
import { version } from '#server/start/version.ts'

/** The release before this one: the oldest whose databases it upgrades, and whose nodes go on beside it. */
export const serves_since = '0.1.0'
/** Of databases from the time before releases were recorded. */
const before_releases = '0.1.0'

export interface Release {
  version: string
  serves_since: string
}

/**
 * How a database stands to this program:
 * - `ours`: of this release or the one before; whoever may, brings it up to date
 * - `newer`: upgraded by a later release, which leaves this one at work. Nothing in it may be changed from here.
 *
 * @param executed the migrations that the database has been through; `known` are this program's
 * @throws CannotStart for a database that is too new or too old
 */
export function fitOf(
  { executed, known, releases }: { executed: string[]; known: string[]; releases: Release[] },
  own: Release = { version, serves_since },
): 'ours' | 'newer' {
  const unknown = executed.filter((name) => !known.includes(name))
  const upgraded_to = newestOf(releases)?.version ?? before_releases
  // Also by one that brought no migration: its functions and jobs are others.
  const later = laterThan(own, releases)
  if (unknown.length > 0 && !later)
    throw new CannotStart(
      `The database is newer than this program, Foyer ${own.version}: it has been through ${unknown.join(', ')}, which this ` +
        `program does not have. ${insteadOf}`,
    )
  if (later) {
    if (compareVersions(own.version, later.serves_since) < 0)
      throw new CannotStart(
        `The database was upgraded to Foyer ${later.version}, on which nodes since ${later.serves_since} can work; this one is ` +
          `${own.version}. ${insteadOf}`,
      )
    return 'newer'
  }
  if (executed.length > 0 && compareVersions(upgraded_to, own.serves_since) < 0)
    throw new CannotStart(
      `The database is of Foyer ${upgraded_to}, and ${own.version} upgrades those since ${own.serves_since}. Upgrade to ` +
        `${own.serves_since} first, and let it finish its work in the background.`,
    )
  return 'ours'
}
const insteadOf = 'Start the newer program, or restore the backup that was made before it.'

const newestOf = (releases: Release[]) => releases.toSorted((a, b) => compareVersions(a.version, b.version)).at(-1)

/** The release by which a database was upgraded past a program. */
export function laterThan(own: Pick<Release, 'version'>, releases: Release[]): Release | undefined {
  const newest = newestOf(releases)
  return newest && compareVersions(newest.version, own.version) > 0 ? newest : undefined
}

/** Negative where `a` is older than `b`. */
export const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** None of a database from the time before they were recorded. */
export async function releasesOf(client: Client): Promise<Release[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regproc('public.door_releases') is not null as there`,
  )
  if (!rows[0]?.there) return []
  return (await client.query<Release>('select version, serves_since from door_releases()')).rows
}

/** Whether nodes from before `since` may be at work on a database with these releases. */
export function leavesAtWork(releases: Release[], since: string): boolean {
  const newest = newestOf(releases)
  return newest === undefined || compareVersions(newest.serves_since, since) < 0
}

/**
 * Notes that this release has brought the database up to date. One that it has made was never of a release before, which is noted as it
 * is made: a start that ends later leaves a database with migrations, as an older one is.
 */
export async function recordRelease(owner: Client, { is_new = false } = {}): Promise<void> {
  await owner.query('insert into releases (version, serves_since) values ($1, $2) on conflict do nothing', [
    version,
    is_new ? version : serves_since,
  ])
}
