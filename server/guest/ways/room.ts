// Room: a room's number, and the last name of somebody who stays there at present.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { asciiDigits } from '#contract/digits.ts'
import { sameFold } from '#contract/folded.ts'
import { isTitle } from '#server/imports/people-words.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { isStaying, isToCome, stayOfGuest } from '#server/stays/in-house.ts'
import { inquireAbout } from '#server/property-systems/inquiries.ts'
import { isLastName, isWholeName } from './last-name.ts'
import { allowed, guardOf, refuse, type Tried, type Way } from './way.ts'

export const room: Way = {
  chosenBy: 'room_number',
  shownAgain: ['room_number', 'last_name'],
  async find(scope, _seal, tried) {
    const { typed, last_name } = typedBy(tried)
    if (typed === '' || last_name === '') return { refused: 'incomplete' }
    const { meant, people, fitting } = await peopleMeant(scope, tried, { typed, last_name })
    const identifier = `${meant?.number ?? typed}, ${last_name}`
    // Counted for the room that is meant: writing its number in other ways gives no more tries.
    const { waits, guessed_at } = await guardOf(scope, tried, meant ? { room_id: meant.id } : null)
    const kept = { identifier, guessed_at }
    if (waits) return refuse(scope, tried, { ...kept, reason: 'too_many_tries', fitted: fitting.length > 0 })
    const staying = fitting.find(({ stays }) => stays)
    if (staying) {
      const id = await guestOf(scope, tried, staying)
      return allowed(scope, tried, { holder: { kind: 'guest', id }, identifier })
    }
    const [other] = fitting
    if (other) return refuse(scope, tried, { identifier, reason: other.is_to_come ? 'not_yet_valid' : 'stay_over' })
    const number = meant?.number ?? typed
    if (!tried.has_asked && (await inquireAbout(scope, tried.gateway.property_id, number))) return { asked: true }
    return refuse(scope, tried, { ...kept, reason: people.length > 0 ? 'wrong_password' : 'unknown_user' })
  },
  async isNamed(scope, tried) {
    const { fitting } = await peopleMeant(scope, tried, typedBy(tried))
    return fitting.some(({ stays }) => stays)
  },
}

interface Typed {
  typed: string
  last_name: string
}
const typedBy = ({ fields }: Tried): Typed => ({
  typed: fields['room_number']?.trim() ?? '',
  last_name: fields['last_name']?.trim() ?? '',
})

async function peopleMeant(scope: Scope, tried: Tried, { typed, last_name }: Typed) {
  const meant = await roomMeant(scope, tried, typed)
  const people = meant ? await peopleIn(scope, meant.id) : []
  return { meant, people, fitting: people.filter((person) => isNameOf(person, last_name)) }
}

interface Room {
  id: number
  number: string
}

/** What people write before a number: `#101`, `№ 101`, `Nr. 101`. A room may have it in its own number. */
const number_sign = /^(?:#|n(?:o|r)\.?|n°)\s*(?=.)/i

async function roomMeant(scope: Scope, tried: Tried, typed: string): Promise<Room | undefined> {
  const plain = sameFold(asciiDigits(typed))
  return (
    (await roomOf(scope, tried, typed)) ??
    (plain === sameFold(typed) ? undefined : await roomOf(scope, tried, plain)) ??
    (number_sign.test(plain) ? roomOf(scope, tried, plain.replace(number_sign, '')) : undefined)
  )
}

/** The room with exactly that number; else the only room of the property that matches what was typed. */
async function roomOf(scope: Scope, { gateway }: Tried, typed: string): Promise<Room | undefined> {
  const fitting = await scope.run(sql<Room>`
    select t.id, t.number from rooms as t
    where t.property_id = ${gateway.property_id} and t.number_key = find_fold(${typed}) and t.number_key <> ''
      and ${scope.inReach('rooms', 't')}`)
  const exact = fitting.filter(({ number }) => sameFold(number) === sameFold(typed))
  const [meant, other] = exact.length > 0 ? exact : fitting
  return other ? exact.find(({ number }) => number === typed) : meant
}

interface Person {
  id: number
  name: string
  first_name: string | null
  /** As a property's system has told it. */
  by_system: boolean
  whole_name: string
  stays: boolean
  is_to_come: boolean
}

/**
 * Systems write the parts of a name in the order and the fields of their site, so of a name that one has told each part counts as a last
 * name, except titles. A whole field is a name whatever it is: there are people called Le, Van and Herr.
 */
const isNameOf = ({ name, first_name, whole_name, by_system }: Person, typed: string) =>
  by_system
    ? isLastName(typed, withoutTitles(whole_name)) || isWholeName(typed, name) || isFirstName(typed, first_name ?? '')
    : isLastName(typed, name)
/** A field for first names may have an initial alone, or a title, by which anybody could get in. */
const isFirstName = (typed: string, known: string) =>
  known.trim().length > 1 && !isTitle(known.trim(), 0) && isWholeName(typed, known)
const withoutTitles = (name: string) =>
  name
    .split(/\s+/)
    .filter((word, at, all) => !isTitle(word, all.length - 1 - at))
    .join(' ')

/** By the property's local day; guests who leave today may still sign in today. */
const peopleIn = (scope: Scope, room_id: number) =>
  scope.run(sql<Person>`
    select t.id, coalesce(nullif(btrim(t.last_name), ''), t.name) as name, t.first_name, t.name as whole_name,
      coalesce(s.source = 'system', false) as by_system,
      ${isStaying('t', sql`today`)} as stays, ${isToCome('t', sql`today`)} as is_to_come
    from rooms as r
    join room_guests as t on t.customer_id = r.customer_id and t.room_id = r.id
    ${stayOfGuest('t', 's')}
    join properties as h on h.customer_id = r.customer_id and h.id = r.property_id
    join customers as c on c.id = r.customer_id
    cross join lateral (select local_day(app_now(), coalesce(h.time_zone, c.time_zone)) as today) as z
    where r.id = ${room_id} and ${scope.inReach('rooms', 'r')} and ${scope.inReach('room_guests', 't')}
    order by t.id`)

/** The same guest on each device and each visit to the page. */
async function guestOf(scope: Scope, { gateway, guest, method }: Tried, { id, whole_name }: Person): Promise<number> {
  const [made] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    insert into guests as t (customer_id, property_id, auth_method_id, room_guest_id, name, language, last_seen_at)
    values (${scope.customer_id}, ${gateway.property_id}, ${method}, ${id}, ${whole_name}, ${guest.language}, now())
    on conflict (customer_id, room_guest_id) where room_guest_id is not null and deleted_at is null
    do update set name = excluded.name, language = excluded.language, property_id = excluded.property_id,
      last_seen_at = now(), visits = t.visits + 1
    returning t.id`)
  if (made) return made.id
  // A trial leaves the guest alone who is known already.
  const [known] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t where t.room_guest_id = ${id} and ${scope.inReach('guests', 't')}`)
  if (!known) throw new Error('a guest is made or found')
  return known.id
}
