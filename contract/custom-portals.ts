// Custom portals: portals whose pages the customer made and uploaded as a zip. For the contents of the pages see custom-pages.ts.
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
  /** The zip. Guests see its index.html first; it may also contain the `stepPages` of custom-pages.ts. */
  portal: file([portal_type], file_bytes_max, messages.imports.tooLarge),
  name: z.string(nameRequired).trim().min(1, nameRequired).max(255),
  auth_method_ids: z.array(ref('auth_methods'), authMethodRequired).min(1, authMethodRequired).max(20),
})

/** `left_out` names the files that operating systems add to zips by themselves. */
export const ImportedPortal = Portal.extend({ left_out: z.array(z.string()) }).meta({ id: 'ImportedPortal' })

/** A file that is refused is named under `errors.portal`, with the reason, and nothing of the zip is kept. */
export const createCustom = upload('/custom-portals-create', CustomPortalInput, ImportedPortal)
/** A new zip replaces all pages at once; without one they stay. */
export const updateCustom = upload('/custom-portals-update', changesTo('portals', CustomPortalInput), ImportedPortal)
