// Guesses: devices that guess at a secret have to wait, and guests who have it do not. A device that has signed in at the property by what
// proves whose it is is known, and a right secret lets it in whatever others do. Any other device is let in by a right secret, too, unless
// that same account, voucher or room is being guessed at: then the secret has to be presented again after a while.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { PlaceChecks } from '#server/admission/property-checks.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'

/** Wrong tries of one device in ten minutes, at any secrets. */
const of_device_max = 10
/** Wrong tries at one secret from unknown devices in an hour; above this, the secret is being guessed at. */
const of_secret_max = 10
const guessed_s = 3600
/** How long a device waits from then on: twice as long with every further five tries, at most ten minutes. */
const first_wait_s = 30
const wait_doubles_every = 5
const wait_max_s = 600
/** How long it is remembered that the right secret was presented; after that, the wait begins again. */
const shown_s = 3 * wait_max_s
const counted_max = 200

/** Whose secret is tried. */
export type Target = { account_id: number } | { voucher_id: number } | { room_id: number }
export interface Guarded {
  place: Pick<PlaceChecks, 'tries' | 'known' | 'forgiven'>
  mac_address: string
  /** Null: what was typed is nobody's. */
  target: Target | null
}

export interface Guard {
  /** Nothing is let in now, and right and wrong get the same answer. */
  waits: boolean
  /** What the try is recorded under: nothing if the device is known. */
  guessed_at: string | null
}

export const guessKey = (target: Target): string => {
  if ('account_id' in target) return `account ${target.account_id}`
  return 'voucher_id' in target ? `voucher ${target.voucher_id}` : `room ${target.room_id}`
}

interface Tried {
  /** This device has signed in on the same account, voucher or stay. */
  its_own: boolean
  /** Wrong tries of other devices, and of this one. */
  others: number
  own: number
  /** How long ago it first presented the right secret, with no wrong try since. */
  shown_s: number | null
}
const nothing: Tried = { its_own: false, others: 0, own: 0, shown_s: null }

/** The device is unknown, and has itself tried too often. */
export const isGuessing = ({ tries, known, forgiven }: Guarded['place']) =>
  tries >= of_device_max && !known && !forgiven

/** `pending`: wrong tries that are judged together with this one, and are not stored yet. */
function guardOf(
  { place, target }: Guarded,
  tried: Tried,
  pending: { of_device: number; others: number; own: number },
): Guard {
  const hasGuessed = place.tries + pending.of_device >= of_device_max
  if (place.forgiven || tried.its_own || (place.known && !hasGuessed)) return { waits: false, guessed_at: null }
  const guessed_at = target && guessKey(target)
  const own = tried.own + pending.own
  const tries = tried.others + pending.others + (own > of_secret_max ? own : 0)
  const hasWaited = tried.shown_s !== null && tried.shown_s >= waitAfter(tries)
  return { waits: hasGuessed || (tries > of_secret_max && !hasWaited), guessed_at }
}

/** In seconds. */
export const waitAfter = (tries: number): number =>
  tries <= of_secret_max
    ? 0
    : Math.min(wait_max_s, first_wait_s * 2 ** Math.floor((tries - of_secret_max - 1) / wait_doubles_every))

/**
 * Tries of these devices, and at these secrets, wait until the transaction ends, at whichever node: what is read from here on counts
 * all wrong ones before. Places that were read before are read again.
 */
export async function lockTries(scope: Scope, tries: readonly Pick<Guarded, 'mac_address' | 'target'>[]) {
  const keys = tries.flatMap(({ mac_address, target }) => [
    `device ${mac_address}`,
    ...(target ? [guessKey(target)] : []),
  ])
  // In one order, so that no two wait for each other.
  await scope.run(sql`
    select pg_advisory_xact_lock(l.key) from (
      select distinct hashtextextended(${`tries ${scope.customer_id} `} || k, 0) as key from unnest(${keys}::text[]) as k
      order by key) as l`)
}

/** Judges simultaneous tries one after the other, counting the wrong ones before each. */
export class Guards {
  readonly #tried: readonly (Tried | undefined)[]
  readonly #guarded: readonly Guarded[]
  readonly #wrong: { mac_address: string; key: string | null }[] = []
  private constructor(guarded: readonly Guarded[], tried: readonly (Tried | undefined)[]) {
    this.#guarded = guarded
    this.#tried = tried
  }

  static async read(scope: Scope, guarded: readonly Guarded[]): Promise<Guards> {
    return new Guards(guarded, await triedBefore(scope, guarded))
  }

  of(n: number): Guard {
    const guarded = this.#guarded[n]
    if (!guarded) throw new Error('there is no such try')
    const key = guarded.target && guessKey(guarded.target)
    const ofDevice = this.#wrong.filter(({ mac_address }) => mac_address === guarded.mac_address)
    const own = ofDevice.filter((one) => key !== null && one.key === key).length
    const others = this.#wrong.filter((one) => key !== null && one.key === key).length - own
    return guardOf(guarded, this.#tried[n] ?? nothing, { of_device: ofDevice.length, own, others })
  }

  wasWrong(n: number) {
    const guarded = this.#guarded[n]
    if (guarded) this.#wrong.push({ mac_address: guarded.mac_address, key: guarded.target && guessKey(guarded.target) })
  }
}

/** Read where it makes a difference: a device that is known waits only once it has tried too often itself. */
async function triedBefore(scope: Scope, guarded: readonly Guarded[]) {
  const together = Map.groupBy(guarded, ({ mac_address }) => mac_address)
  const targets = guarded.map(({ place: { tries, known, forgiven }, mac_address, target }) => {
    const triesAtMost = tries + (together.get(mac_address)?.length ?? 0)
    return forgiven || (known && triesAtMost < of_device_max) ? null : target
  })
  if (targets.every((target) => target === null)) return []
  const columns = (name: string) =>
    targets.map((target) => (target && name in target ? Object.values(target)[0] : null))
  const since = sql`a.created_at > now() - make_interval(secs => ${guessed_s})`
  const atIt = sql`a.customer_id = ${scope.customer_id} and a.guessed_at = q.key`
  const found = await scope.run(sql<Tried & { n: number }>`
    select q.n,
      exists (select from guest_devices as d
        left join guests as g on g.customer_id = d.customer_id and g.id = d.guest_id
        left join room_guests as s on s.customer_id = g.customer_id and s.id = g.room_guest_id
        where d.mac_address = q.mac and (d.account_id = q.account_id or d.voucher_id = q.voucher_id or s.room_id = q.room_id)
          and ${scope.inReach('guest_devices', 'd')}) as its_own,
      (select count(*)::integer from (select from radius_authorisations as a
        where ${atIt} and ${since} and not a.fitted and a.mac_address <> q.mac limit ${counted_max}) as a) as others,
      (select count(*)::integer from (select from radius_authorisations as a
        where ${atIt} and ${since} and not a.fitted and a.mac_address = q.mac limit ${counted_max}) as a) as own,
      (select extract(epoch from now() - min(a.created_at))::float8 from radius_authorisations as a
        where ${atIt} and a.fitted and a.mac_address = q.mac and a.created_at > now() - make_interval(secs => ${shown_s})
          and not exists (select from radius_authorisations as w where w.customer_id = a.customer_id
            and w.guessed_at = a.guessed_at and w.mac_address = a.mac_address and not w.fitted and w.id > a.id)) as shown_s
    from unnest(${numbersOf(guarded)}::integer[], ${targets.map((target) => target && guessKey(target))}::text[],
      ${guarded.map(({ mac_address }) => mac_address)}::macaddr[], ${columns('account_id')}::integer[],
      ${columns('voucher_id')}::bigint[], ${columns('room_id')}::integer[]) as q(n, key, mac, account_id, voucher_id, room_id)
    where q.key is not null`)
  return inOrder(guarded, found)
}
