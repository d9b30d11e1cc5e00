// Devices: MAC addresses that get online without a login page, in one property.
import { sql } from 'kysely'
import * as contract from '#contract/devices.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import type { Services } from '#server/services.ts'
import { applyHolders } from '#server/sessions/changes.ts'
import { endAtDesk } from '#server/resources/sessions/sessions.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { contactName } from '#server/integrations/contact-name.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeIdOrIds, updateRow } from '#server/entities/verbs.ts'

const devices = entity({
  table: 'devices',
  row: contract.DeviceRow,
  detail: contract.Device,
  fields: contract.fields,
  computed: {
    property: nameOf('properties', 'property_id'),
    mac_category: sql`(select json_build_object('id', r.id, 'name', r.name, 'blocks', r.blocks) from mac_categories as r
      where r.customer_id = t.customer_id and r.id = t.mac_category_id)`,
    package: nameOf('packages', 'package_id'),
    accounting_contact: contactName,
    room: nameOf('rooms', 'room_id', 'number'),
    randomised: sql`substr(t.mac_address::text, 2, 1) in ('2', '3', '6', '7', 'a', 'b', 'e', 'f')`,
  },
  filters: {
    group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
  },
  belongs: { property_id: 'property_id' },
})

type Changes = Partial<Parsed<typeof contract.create>>

/** What the schema cannot check: the device's room is in its property. */
async function refuseMisplaced(scope: Scope, id: number, { property_id, room_id }: Changes) {
  if (room_id === undefined && property_id === undefined) return
  const [elsewhere] = await scope.run(sql`
    select from devices as t join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
    where t.id = ${id} and r.property_id <> t.property_id and ${scope.inReach('devices', 't')}`)
  if (elsewhere) throw invalid({ room_id: [selectedInvalid('room_id')] })
}

/** Disconnects what is online by an address that these devices no longer have. */
export async function endFormerAddresses(scope: Scope, queue: Services['queue'], ids: readonly number[]) {
  const former = sql<boolean>`t.device_id = any(${ids}) and t.stopped_at is null and t.mac_address is distinct from
    (select d.mac_address from devices as d where d.customer_id = t.customer_id and d.id = t.device_id)`
  const open = await scope.lock('radius_sessions', former)
  if (open.length > 0) await endAtDesk(scope, queue, open, 'Its address was replaced')
}

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, devices, input),
    exportList: (call) => exportRows(call, devices),
    names: ({ scope }) => nameRows(scope, devices, contract.DeviceName),
    nameList: ({ scope, input }) => listRows(scope, devices, input, contract.DeviceName),
    get: ({ scope, input }) => oneRow(scope, devices, input.id),
    create: async ({ scope, input }) => {
      const device = await createRow(scope, devices, input)
      await refuseMisplaced(scope, device.id, input)
      return device
    },
    update: async ({ scope, input }) => {
      const device = await updateRow(scope, devices, input)
      await refuseMisplaced(scope, device.id, input)
      if (input.mac_address !== undefined) await endFormerAddresses(scope, queue, [device.id])
      if (input.package_id !== undefined) await applyHolders(scope, queue, sql`t.device_id = ${input.id}`)
      return device
    },
    replaceMac: async ({ scope, input: { id, mac_address } }) => {
      const device = await updateRow(scope, devices, { id, mac_address })
      await endFormerAddresses(scope, queue, [id])
      return device
    },
    deactivate: ({ scope, input }) => deactivateRows(scope, devices, input.ids),
    activate: ({ scope, input }) => activateRow(scope, devices, input.id),
    remove: ({ scope, input }) => removeIdOrIds(scope, devices, input),
  })
