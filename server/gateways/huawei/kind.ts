// Huawei: AirEngine access points. A form is sent to the access point itself; its redirect names it by its address alone.
import {
  addressIn,
  arrivalBy,
  withoutPort,
  ends_by_time,
  externalPortal,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

const read = arrivalBy({ marks: ['userip', 'usermac', 'url'], device: 'usermac' })

export const huawei = externalPortal({
  id: 18,
  name: 'Huawei',
  honours: takesTime,
  note: `The host is the access point’s own address, which its redirect names it by; browsers reach it by http. ${ends_by_time}`,
  where:
    'On the access point, add a Portal authentication template with this page, and the server for authentication and accounting with ' +
    'real-time accounting on.',
  arrival(redirect) {
    const found = read(redirect)
    return found && { ...found, host: addressIn(first(redirect.query, 'url'))?.hostname ?? null }
  },
  letIn: (_redirect, { host }, { username, password }) => ({
    by: 'form',
    address: `http://${withoutPort(host)}:8000/`,
    fields: { username, password },
  }),
})
