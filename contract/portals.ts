// Portals: the pages that guests see before they go online. Of their calls, only those for selects.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { id, named, namesOf, nothing, page, ref } from './shapes.ts'
import { status } from './status.ts'

const { lookup, read } = callsOf('portals')

export const PortalName = named.extend({ status, group_id: id.nullable() })
export const names = lookup('/portals-list', nothing, z.array(PortalName))
export const nameList = read('/portals-list', namesOf({ group_id: ref('groups').optional() }), page(PortalName))
