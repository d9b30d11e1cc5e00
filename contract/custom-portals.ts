// Custom portals: portals whose pages the customer made, brought in as a zip. What stands in them: custom-pages.ts.
import { z } from 'zod'
import { constants } from './constants.ts'
import { callsOf } from './endpoint.ts'
import { messages } from './messages.ts'
import { Portal } from './portals.ts'
import { changesTo, file, ref } from './shapes.ts'

const { upload } = callsOf('portals')

const { portal_type, file_bytes_max } = constants.import
const { nameRequired, authMethodRequired } = messages.portal

export const CustomPortalInput = z.object({
  /** The zip. Its index.html is what guests see first; `stepPages` of custom-pages.ts are what it may hold besides. */
  portal: file([portal_type], file_bytes_max, messages.imports.tooLarge),
  name: z.string(nameRequired).trim().min(1, nameRequired).max(255),
  auth_method_ids: z.array(ref('auth_methods'), authMethodRequired).min(1, authMethodRequired).max(20),
})

/** With what systems put into zips by themselves, which is left out, by name. */
export const ImportedPortal = Portal.extend({ left_out: z.array(z.string()) }).meta({ id: 'ImportedPortal' })

/** A file that cannot be taken is named under `errors.portal`, with the reason, and nothing of the zip is kept. */
export const createCustom = upload('/custom-portals-create', CustomPortalInput, ImportedPortal)
/** Another zip takes the place of all pages at once; without one they stay. */
export const updateCustom = upload('/custom-portals-update', changesTo('portals', CustomPortalInput), ImportedPortal)
