// Front office: the demo's first property is linked to a simulated FIAS: its guests are told, and of some of them somebody at the desk
// has said otherwise.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { addDays } from '#contract/days.ts'
import type { Endpoint, Input, Reply } from '#contract/endpoint.ts'
import * as roomGuestCalls from '#contract/room-guests.ts'
import { fiasDay, openFrontOffice, type FrontOffice } from '#scripts/simulation/front-office.ts'
import { openLinks } from '#server/property-systems/links.ts'
import type { Services } from '#server/services.ts'

const differing = 3
/** Guests who stay a night longer, by the system. */
const extending = 8
const told_max_ms = 120_000

interface From {
  owner: Client
  services: Services
  property_id: number
  port: number
  /** Calls the API as an editor of the operator. */
  call: <E extends Endpoint>(endpoint: E, ask: Input<E>) => Promise<Reply<E>>
}

export async function linkFrontOffice({ owner, services, property_id, port, call }: From): Promise<FrontOffice> {
  const office = { port, ...(await officeOf(owner, property_id)) }
  const pms = await openFrontOffice(office)
  const links = openLinks(services)
  const counts = async (what: string) => {
    const { rows } = await owner.query<{ count: number }>(`select count(*)::integer as count from ${what}`, [
      property_id,
    ])
    return rows[0]?.count ?? 0
  }
  const until = async (isDone: () => Promise<boolean>) => {
    for (const began = Date.now(); !(await isDone()); await sleep(250))
      if (Date.now() - began > told_max_ms) throw new Error('The simulated front office was not heard')
  }
  try {
    const told = `property_links l join property_interfaces i on i.id = l.property_interface_id
      where i.property_id = $1 and i.host = '127.0.0.1' and not l.wants_all`
    await until(async () => (await counts(told)) === 1)
    const some = office.guests.slice(0, differing)
    for (const guest of some) {
      const { rows } = await owner.query<{ id: number; departs_on: string }>(
        `select id, departs_on::text from room_guests where property_id = $1 and external_reference = $2 and deleted_at is null`,
        [property_id, guest.key],
      )
      for (const { id, departs_on } of rows)
        await call(roomGuestCalls.update, { id, departs_on: addDays(departs_on, 2) })
      pms.send(`GC|RN${guest.room}|G#${guest.key}|GN${guest.name}|GF${guest.first_name}|`)
    }
    const longer = office.guests.slice(differing, differing + extending)
    for (const { key, room, name, first_name, nights } of longer)
      pms.send(`GC|RN${room}|G#${key}|GN${name}|GF${first_name}|GD${fiasDay(nights + 1)}|`)
    await until(async () => (await counts('stay_differences where property_id = $1')) === some.length)
    const heard = `property_link_records r join property_interfaces i on i.id = r.property_interface_id where i.property_id = $1`
    await until(async () => (await counts(heard)) >= longer.length)
  } finally {
    await links.close()
    await pms.close()
  }
  return office
}

/** Who stays there, with a name that its letters can write. */
async function officeOf(owner: Client, property_id: number): Promise<Omit<FrontOffice, 'port'>> {
  const { rows: rooms } = await owner.query<{ number: string }>(
    'select number from rooms where property_id = $1 and active and deleted_at is null order by id',
    [property_id],
  )
  const { rows: guests } = await owner.query<FrontOffice['guests'][number]>(
    `select (40000 + g.id)::text as key, g.room_number as room, g.last_name as name, coalesce(g.first_name, '') as first_name,
       g.departs_on - current_date as nights
     from room_guests g join properties p on p.id = g.property_id
     where g.property_id = $1 and g.deleted_at is null and g.checked_in_at is not null and g.departs_on > current_date
       and g.last_name ~ '^[A-Za-z]+$' and coalesce(g.first_name, '') ~ '^[A-Za-z]*$'
     order by g.id limit 60`,
    [property_id],
  )
  return { rooms: rooms.map(({ number }) => number), guests }
}
