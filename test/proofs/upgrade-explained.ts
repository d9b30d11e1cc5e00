// Upgrade, explained: what differs on purpose after the upgrade from the release before, each with its reason. Whoever makes a release
// empties the lists, as those of scripts/release.ts; an entry that explains nothing fails.

export interface Found {
  /** The call and the field of its answer, or the table and the column. */
  where: string
  example: string
}
interface Explained {
  where: RegExp
  because: string
  /** Only where an hour begins meanwhile, somebody is online, or zones of one customer have different days. */
  by_the_clock?: true
}

export const answersExplained: Explained[] = [
  { where: /body\.meta\.fetched_at$/, because: 'when it was asked' },
  { where: /last_used_at$/, because: 'keys and sign-ins that have asked meanwhile' },
  { where: /^POST \/activity body/, because: 'that keys have asked is noted there, which moves its pages' },
  { where: /^POST \/sessions body\.data\[\]\.left\.seconds$/, because: 'what is left runs down', by_the_clock: true },
  {
    where: /^POST \/dashboard body\.data\.(hours\[\]\.\w+|guests_online_before)$/,
    because: 'the last hours are those before it was asked',
    by_the_clock: true,
  },
  // CHANGELOG.md, 1.0.0.
  { where: /^GET \/gateway-types body\.data\[\] has more$/, because: 'guests of more makes of gateways' },
  { where: /^GET \/property-interface-types body\.data\[\] has more$/, because: 'interfaces to more systems' },
  { where: /^POST \/auth\/me body\.data\.can\.dashboard\[\]$/, because: 'entries of the one inbox are dealt with' },
  {
    where: /^POST \/dashboard body\.data\.attention\[\]/,
    because: 'it no longer repeats what states of properties say',
  },
  {
    where: /^POST \/dashboard body\.data\.standings\[\]/,
    because: 'states are looked at each minute, once work is done',
  },
  { where: /^POST \/mac-categories (status|body)/, because: 'a key for devices reads the categories by POST, too' },
  { where: /^POST \/reports-run (status|body\.(message|errors))$/, because: 'a report out of reach is not found' },
  { where: /^POST \/reports-run body\.meta\.next_cursor$/, because: 'totals are repeated on each page' },
  {
    where: /^POST \/reports-run body\.meta\.(range\.(start|end)_date|series\[\]\.points\[\])$/,
    because: 'a report covers the days of its own properties, not of all that its customer has in other zones',
    by_the_clock: true,
  },
  {
    where: /(parameters\[\]\.help|problems\[\]\.message|others\.unenforced)$/,
    because: 'sentences that were rewritten',
  },
]

export const rowsExplained: Explained[] = [
  { where: /^kysely_migration: rows more$/, because: 'the migrations of this release' },
  { where: /^activity: rows more$/, because: 'that keys have asked is noted' },
  { where: /^(api_keys|sessions)\.last_used_at$/, because: 'who has asked meanwhile', by_the_clock: true },
  { where: /^rate_limits/, because: 'how often they have asked' },
  { where: /^(gateway|property_interface)_types: rows more$/, because: 'the makes and systems of this release' },
  {
    where: /^night_ledgers: rows more$/,
    because: 'a property has its ledger from now on as it is made, not within an hour',
  },
  { where: /^searched_tables\.present$/, because: 'a look-up of this program: which rows of a table are searched' },
]

/** What nothing explains, and what explains nothing where all was `looked_at`. */
export function unexplained(found: readonly Found[], list: readonly Explained[], looked_at: boolean) {
  const fits = ({ where }: Found) => list.filter((one) => one.where.test(where))
  const used = new Set(found.flatMap(fits))
  const left = Map.groupBy(
    found.filter((one) => fits(one).length === 0),
    ({ where }) => where,
  )
  return {
    unexplained: [...left].map(([where, all]) => `${where}, ${all.length} times: ${all[0]?.example.slice(0, 500)}`),
    explains_nothing: list
      .filter((one) => looked_at && !one.by_the_clock && !used.has(one))
      .map(({ where }) => where.source),
  }
}
export const nothing_left = { unexplained: [], explains_nothing: [] }
