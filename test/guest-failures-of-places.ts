// Guest failures of stays, properties and gateways.
import type { Failure, Mended, Site } from './guest-failures.ts'
import { aMacAddress } from './foyer.ts'
import { openGateway } from './radius-client.ts'

const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A unique name without digits, since digits would be a word shared by two names. */
const letters = (id: number) => String(id).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))

/** A guest of room 12, and their sign-in on the page. */
async function stay(at: Site, values: object = {}) {
  const [room_id = 0] = await at.foyer.rooms(at.editor, at.property.id, ['12'])
  const person = { room_id, first_name: 'Ingrid', last_name: `Sandvik${letters(at.property.id)}`, ...values }
  const made = await at.foyer.roomGuest(at.editor, person)
  return {
    made,
    room_id,
    last_name: person.last_name,
    tries: () => at.signInOnPage({ method: '4', room_number: '12', last_name: person.last_name }),
  }
}

export const stayFailures: Failure[] = [
  {
    name: 'a stay that is over',
    seed: async (at) => {
      const { tries, last_name } = await stay(at, { arrives_on: dayFrom(-5), departs_on: dayFrom(-2) })
      return { search: last_name, kind: 'stay', tries }
    },
    reason: 'stay_over',
    says: /The stay of Ingrid Sandvik\w+ ended on/,
    fix: /stay until tomorrow/,
  },
  {
    name: 'a stay that has ended meanwhile, by the room',
    seed: async (at) => {
      const { tries, made } = await stay(at)
      if (!(await tries())) throw new Error('they were to be let in')
      await at.sql('update room_guests set departs_on = $2 where id = $1', made.id, dayFrom(-2))
      return { search: '12', kind: 'stay', tries }
    },
    reason: 'stay_over',
    says: /ended on/,
    fix: /stay until tomorrow/,
  },
  {
    name: 'a guest who was checked out',
    seed: async (at) => {
      const { tries, made, last_name } = await stay(at)
      if (!(await tries())) throw new Error('they were to be let in')
      await at.sql('update room_guests set deleted_at = now() where id = $1', made.id)
      return { search: last_name, kind: 'guest', tries }
    },
    reason: 'checked_out',
    says: /has been checked out/,
    fix: /Check them in again/,
  },
  {
    name: 'a guest who is expected later',
    seed: async (at) => {
      const { tries, last_name } = await stay(at, { arrives_on: dayFrom(3) })
      return { search: last_name, kind: 'stay', tries }
    },
    reason: 'not_arrived',
    says: /is expected on/,
    fix: /are here today/,
  },
  {
    name: 'a name that the desk has misspelt',
    seed: async (at) => {
      const { last_name } = await stay(at)
      const theirs = last_name.replace('Sandvik', 'Sandwick')
      return {
        search: last_name,
        kind: 'stay',
        tries: () => at.signInOnPage({ method: '4', room_number: '12', last_name: theirs }),
      }
    },
    reason: 'wrong_name',
    says: /was given for room 12/,
    fix: /It is Sandwick/,
  },
]

const known = async (at: Site) => {
  const { username } = await at.account()
  const asked = { user_name: username ?? '', password: 'right password' }
  return { search: username ?? '', kind: 'account', asked } as const
}

export const placeFailures: Failure[] = [
  {
    name: 'a disabled property',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      await at.sql('update properties set active = false where id = $1', at.property.id)
      return { ...rest, tries: () => at.signIn(asked) }
    },
    reason: 'property_disabled',
    says: /Guest Wi-Fi is switched off at/,
    fix: /Switch guest Wi-Fi on/,
    editors: true,
  },
  {
    name: 'a disabled gateway',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      await at.sql('update gateways set active = false where id = $1', at.made.id)
      return { ...rest, tries: () => at.signIn(asked) }
    },
    reason: 'gateway_disabled',
    says: /The gateway at .* is disabled/,
    fix: /Enable /,
    editors: true,
  },
  {
    name: 'a silent gateway',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      await at.sql(`update gateways set last_seen_at = now() - interval '1 hour' where id = $1`, at.made.id)
      let has_power = false
      return {
        ...rest,
        tries: () => (has_power ? at.signIn(asked) : Promise.resolve(false)),
        remedy: async () => void (has_power = true),
      }
    },
    reason: 'gateway_silent',
    says: /not been heard from for more than 15 minutes/,
    fix: /Look at the gateway/,
  },
  {
    name: 'a gateway that has never sent anything',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      let is_set_up = false
      return {
        ...rest,
        tries: () => (is_set_up ? at.signIn(asked) : Promise.resolve(false)),
        remedy: async () => void (is_set_up = true),
      }
    },
    reason: 'gateway_unheard',
    says: /has never been heard/,
    fix: /Set the gateway up/,
  },
  {
    name: 'a wrong RADIUS secret',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      const wrong = await openGateway(at.radius.ports, { ...at.made, radius_secret: 'not the secret' })
      return {
        ...rest,
        tries: async (fixed?: Mended) => {
          const secret = fixed?.radius_secret
          const box =
            secret === undefined ? wrong : await openGateway(at.radius.ports, { ...at.made, radius_secret: secret })
          // A node caches a gateway's secret for some seconds.
          const isIn = (await at.signIn(asked, box)) || (secret !== undefined && (await at.signIn(asked, box)))
          if (box !== wrong) await Promise.all([box.close(), wrong.close()])
          return isIn
        },
      }
    },
    reason: 'wrong_secret',
    says: /wrong RADIUS secret/,
    fix: /Make a new secret/,
    editors: true,
  },
  {
    name: 'a gateway that signs nothing',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      const old = await openGateway(at.radius.ports, at.made)
      const packet = () => old.accessPacket({ calling_station_id: aMacAddress(), ...asked }, { signed: false })
      return {
        ...rest,
        tries: async (fixed?: Mended) => {
          const answer = await old.send(packet(), at.radius.ports.access, fixed ? 15_000 : 2000)
          if (fixed) await old.close()
          return answer?.code === 2
        },
      }
    },
    reason: 'unsigned',
    says: /does not sign what it sends/,
    fix: /as an old one/,
    editors: true,
  },
  {
    name: 'a gateway that is not registered',
    seed: async (at) => {
      const { asked, ...rest } = await known(at)
      // All tests send from one address; this property's gateway is the one that has proven itself there.
      await at.signIn({ user_name: 'nobody' })
      await at.sql('delete from gateway_addresses where gateway_id <> $1', at.made.id)
      await at.sql(
        `insert into gateway_addresses (customer_id, gateway_id, address) select customer_id, id, '127.0.0.1' from gateways
         where id = $1 on conflict do nothing`,
        at.made.id,
      )
      await at.sql(`update gateways set last_seen_at = now() - interval '1 hour' where id = $1`, at.made.id)
      const name = { nas_identifier: `new-box-${at.property.id}`, radius_secret: 'made up' }
      const box = await openGateway(at.radius.ports, name)
      return {
        ...rest,
        tries: async (fixed?: Mended) => {
          if (fixed?.radius_secret === undefined) {
            const isIn = await at.signIn(asked, box)
            await at.noted('unregistered_gateways')
            return isIn
          }
          await box.close()
          const registered = await openGateway(at.radius.ports, { ...name, radius_secret: fixed.radius_secret })
          const isIn = (await at.signIn(asked, registered)) || (await at.signIn(asked, registered))
          await registered.close()
          return isIn
        },
      }
    },
    reason: 'gateway_silent',
    says: /not been heard/,
    fix: /Register this gateway/,
    editors: true,
  },
  {
    name: 'a gateway that does not send the device’s address',
    seed: async (at) => {
      const { asked } = await known(at)
      let names_it = false
      return {
        search: asked.user_name,
        kind: 'account',
        tries: () => at.signIn({ ...asked, calling_station_id: names_it ? aMacAddress() : [] }),
        remedy: async () => void (names_it = true),
      }
    },
    reason: 'device_unnamed',
    says: /which device is asking/,
    fix: /Look at the gateway/,
  },
  {
    name: 'a sign-in that took too long',
    seed: async (at) => {
      const id = await at.guest(null, `late-${at.property.id}@guest.example`)
      const mac = aMacAddress()
      await at.signInByPass({ kind: 'guest', id }, mac)
      let is_quick = false
      return {
        search: mac,
        kind: 'guest',
        tries: () =>
          is_quick
            ? at.signInByPass({ kind: 'guest', id }, mac)
            : at.signIn({ user_name: `pass-${'x'.repeat(22)}`, calling_station_id: mac }),
        remedy: async () => void (is_quick = true),
      }
    },
    reason: 'pass_over',
    says: /took too long/,
    fix: /Sign in once more/,
  },
]
