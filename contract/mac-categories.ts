// MAC categories: the kinds of device a customer has, and which of them are blocked from the network.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byId, changesTo, id, listOf, moment, named, no, nothing, page, text, yes } from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, write } = callsOf('mac_categories')

export const MacCategoryInput = z.object({
  /** Unique within the customer. */
  name: text(),
  /** Its devices are refused, however they try to sign in. */
  blocks: no,
  active: yes,
})
export const MacCategory = z
  .object({
    id,
    name: z.string(),
    blocks: z.boolean(),
    active: z.boolean(),
    status,
    created_at: moment,
  })
  .meta({ id: 'MacCategory' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [MacCategoryInput, MacCategory],
  {
    blocks: 'Keep its devices off the network',
  },
  {
    category: ['name', 'blocks'],
  },
)

export const list = read(
  '/mac-categories',
  listOf({ status: anyOf(status) }, {}, ['-created_at', 'created_at', 'name', '-name']),
  page(MacCategory),
)
export const MacCategoryName = named.extend({ status, blocks: z.boolean() })
export const names = lookup('/mac-categories', nothing, z.array(MacCategoryName))
export const get = read('/mac-categories/{id}', byId('mac_categories'), MacCategory)
export const create = write('/categories-create', MacCategoryInput, MacCategory)
export const update = write('/categories-update', changesTo('mac_categories', MacCategoryInput), MacCategory)
