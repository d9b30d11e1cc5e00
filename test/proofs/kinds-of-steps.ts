// Kinds of steps: the operations during which a proof kills Foyer at every step, each with its own records.
import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { aProperty, unique } from '#test/foyer.ts'
import { aPicture, pngOf } from '#test/pictures.ts'
import { aFile, formOf } from '#test/uploads.ts'
import { aPortalZip } from '#test/zips.ts'
import type { CountedFoyer, Operation } from './counted-foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'

export interface Kind {
  /** The ROLES of the node: jobs run only if they are part of the operation. */
  roles: string
  prepare(foyer: CountedFoyer, serial: number): Promise<Operation>
  /** Tables written after the answer, by a job that continues where it was stopped. */
  later?: string[]
  /** Tables that get a row for each attempt. */
  each_time?: string[]
}

const key = () => ({ 'idempotency-key': randomUUID() })
const json = (call: string, values: object, answers = 201): Operation => ({
  call,
  body: JSON.stringify(values),
  headers: key(),
  answers,
})
const form = (call: string, fields: Record<string, unknown>, answers = 201): Operation => ({
  call,
  body: formOf(fields),
  headers: key(),
  answers,
})

/** More than the 500 that one statement writes. */
const records = 600
const lines = (header: string, row: (serial: number) => string) =>
  aFile('records.csv', [header, ...Array.from({ length: records }, (_, index) => row(index))].join('\n'))
const macOf = (serial: number) => `00005e${serial.toString(16).padStart(6, '0')}`
const files = {
  accounts: lines('name,email,username,password', (n) => `Guest ${n},guest@example.com,guest${n},word-${n}`),
  devices: lines('name,mac_address,external_reference', (n) => `Device ${n},${macOf(n)},ref-${n}`),
  rooms: lines('room,guest,reservation', (n) => `R${n},Ada Guest${n},res-${n}`),
}
const fields = { accounts: 'AccountImport', devices: 'DeviceImport', rooms: 'RoomImport' }
const kindsOfImport = ['accounts', 'devices', 'rooms'] as const

const aPlace = (foyer: CountedFoyer, values: object = {}) =>
  foyer.post('/properties-create', { ...aProperty(), ...values })
const importInto = (kind: keyof typeof files, property_id: number) =>
  form(`/import/${kind}?property_id=${property_id}`, { [fields[kind]]: files[kind] }, 200)
/** Whether all mails to an address have been sent. */
const isSent = (foyer: CountedFoyer, address: string) => async () => {
  const { rows } = await foyer.admin.query<{ sent: boolean }>(
    'select sent_at is not null as sent from outbox_mails where recipient_email = $1',
    [address],
  )
  return rows.length > 0 && rows.every(({ sent }) => sent)
}

/** Whether all that happened to an account has been told. */
const isTold = (foyer: CountedFoyer, account: number) => async () => {
  const { rows } = await foyer.admin.query<{ told: boolean }>(
    `select d.state = 'delivered' as told from events e left join webhook_deliveries d on d.event_id = e.id
     where e.object = 'account' and e.object_id = $1`,
    [account],
  )
  return rows.length === 2 && rows.every(({ told }) => told)
}

export const kinds: Record<string, Kind> = {
  ...Object.fromEntries(
    kindsOfImport.map((kind): [string, Kind] => [
      `an import of ${kind}`,
      { roles: 'api', prepare: async (foyer) => importInto(kind, (await aPlace(foyer)).id) },
    ]),
  ),
  'the undo of an import of rooms': {
    roles: 'api',
    async prepare(foyer) {
      const { id } = await foyer.made(importInto('rooms', (await aPlace(foyer)).id))
      return json('/imports-undo', { id }, 200)
    },
  },
  'a batch of vouchers': {
    roles: 'api',
    async prepare(foyer) {
      const property = await aPlace(foyer)
      const wifi = await foyer.post('/packages-create', { name: unique('Wi-Fi') })
      return json('/voucher-batches-create', { quantity: 2500, package_id: wifi.id, property_id: property.id })
    },
  },
  'a new account with a mail to its guest': {
    roles: 'all',
    later: ['outbox_mails', 'due_work'],
    async prepare(foyer, serial) {
      const property = await aPlace(foyer, { send_email: true })
      const email = `guest${serial}@example.com`
      const values = { name: 'Ada', email, username: 'ada', password: 'welcome-ada', property_id: property.id }
      return { ...json('/accounts-create', values), isDone: isSent(foyer, email) }
    },
  },
  'an account that ends, of which a webhook hears': {
    roles: 'all',
    later: ['webhook_deliveries', 'webhooks', 'due_work'],
    async prepare(foyer, serial) {
      if (serial === 1) {
        await foyer.post('/webhooks-create', {
          url: `http://${foyer.webhooks_to}/`,
          events: ['account.created', 'account.ended'],
        })
        // The editors are told of it by mail.
        await vi.waitUntil(isSent(foyer, 'ann@example.com'), { timeout: 120_000, interval: 200 })
      }
      const property = await aPlace(foyer)
      const account = await foyer.post('/accounts-create', { name: 'Ada', property_id: property.id })
      return { ...json('/accounts-deactivate', { ids: [account.id] }, 200), isDone: isTold(foyer, account.id) }
    },
  },
  'an invitation': {
    roles: 'all',
    later: ['outbox_mails', 'due_work'],
    async prepare(foyer, serial) {
      const email = `person${serial}@example.com`
      return { ...json('/users-invite', { email, name: 'Bea' }, 200), isDone: isSent(foyer, email) }
    },
  },
  'another picture': {
    roles: 'api',
    async prepare(foyer, serial) {
      const picture = async (red: string) => ({
        image: aFile('footer.png', await pngOf({ colour: `#${red}${serial.toString(16).padStart(4, '0')}` })),
      })
      const { rows } = await foyer.admin.query<{ id: number }>('select id from portal_footers')
      const { id } = rows[0] ?? (await foyer.made(form('/portal-footers-create', await picture('00'))))
      return form('/portal-footers-update', { id, ...(await picture('ff')) }, 200)
    },
  },
  "a custom portal's zip": {
    roles: 'api',
    async prepare(_foyer, serial) {
      const pages = aPortalZip(
        { name: 'page.css', content: `/* ${serial} */` },
        { name: 'more.css', content: `p { top: ${serial}px }` },
      )
      return form('/custom-portals-create', {
        name: unique('Portal'),
        auth_method_ids: [2],
        portal: aFile('portal.zip', pages),
      })
    },
  },
  "a voucher on a guest's page": {
    roles: 'api guest',
    each_time: ['access_passes'],
    async prepare(foyer, serial) {
      const portal = await foyer.made(
        form('/portals-create', { name: unique('Portal'), auth_method_ids: [2], logo: aPicture() }),
      )
      const property = await aPlace(foyer, { portal_id: portal.id })
      const gateway = await foyer.post('/gateways-create', {
        gateway_type_id: 13,
        property_id: property.id,
        dns_name: 'hotspot.hotel.example',
      })
      const wifi = await foyer.post('/packages-create', { name: unique('Wi-Fi'), session_time_hrs: 24 })
      const values = { quantity: 1, package_id: wifi.id, property_id: property.id }
      const batch = await foyer.post('/voucher-batches-create', values)
      const [voucher_code = ''] = await codesOf(foyer.admin, batch.id)
      const { rows } = await foyer.admin.query<{ nas: string }>(
        'select nas_identifier as nas from gateways where id = $1',
        [gateway.id],
      )
      const mac = macOf(serial).replace(/(..)(?=.)/g, '$1:')
      return {
        at: 'guest',
        call: `${new URL(portal.url).pathname}?nasid=${rows[0]?.nas}&client_mac=${mac}`,
        type: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ method: '2', voucher_code }).toString(),
        answers: 200,
      }
    },
  },
  'the removal of a property': {
    roles: 'all',
    later: ['accounts', 'rooms', 'properties'],
    async prepare(foyer) {
      const property = await aPlace(foyer)
      // More than the job marks as deleted in one transaction.
      await foyer.admin.query(
        `insert into accounts (customer_id, property_id, name)
         select customer_id, id, 'Guest ' || n from properties, generate_series(1, 4500) n where id = $1`,
        [property.id],
      )
      await foyer.post('/rooms-create', { property_id: property.id, number: '204' })
      const isDone = async () => {
        const left = 'select from accounts where property_id = $1 and deleted_at is null limit 1'
        const open = 'select from properties where id = $1 and dependents_removed_at is null'
        const rows = await Promise.all([left, open].map((text) => foyer.admin.query(text, [property.id])))
        return rows.every(({ rowCount }) => rowCount === 0)
      }
      return { ...json(`/properties-delete/${property.id}`, {}, 200), isDone }
    },
  },
  'the erasure of a guest': {
    roles: 'api',
    async prepare(foyer, serial) {
      const property = await aPlace(foyer)
      const { rows } = await foyer.admin.query<{ id: number }>(
        `with guest as (
           insert into guests (customer_id, property_id, name, email)
           select customer_id, id, 'Cy', $2 from properties where id = $1 returning id, customer_id, property_id, email),
         device as (insert into guest_devices (customer_id, guest_id, mac_address) select customer_id, id, $3::macaddr from guest),
         consent as (
           insert into consent_records (customer_id, guest_id, property_id, method, purpose, wording, mac_address)
           select customer_id, id, property_id, 'checkbox', 'terms', 'Yes', $3::macaddr from guest)
         select id from guest`,
        [property.id, `cy${serial}@example.com`, macOf(serial)],
      )
      return json('/guests-erase', { ids: [rows[0]?.id] }, 200)
    },
  },
}
