// Custom portals: portals whose pages the customer made, brought in as a zip, and what these pages may ask for.
import { z } from 'zod'
import { constants } from './constants.ts'
import { callsOf } from './endpoint.ts'
import { messages } from './messages.ts'
import { Portal } from './portals.ts'
import { changesTo, file, ref } from './shapes.ts'

const { upload } = callsOf('portals')

const { portal_type, file_bytes_max } = constants.import
const { nameRequired, authMethodRequired } = messages.portal

/** What a page may say in double braces, `{{company}}`, and what stands there for each guest. */
export const placeholders = {
  company: 'whose Wi-Fi it is',
  property: 'the property that the guest is in; the company where it is not known',
  network: 'the name of the network',
  headline: 'the headline of the portal',
  language: 'the language of the guest: en, de, fr, es, it or nl',
  form: 'the form to sign in with, a part for each way that the portal offers',
  action: 'where a form of your own is sent',
  error: 'why the guest was not let in; empty at first',
  notice: 'which network to join, for whoever opens the page from elsewhere; else empty',
  terms: 'the terms of use',
  terms_version: 'the number of their wording',
  privacy_url: 'the address of the privacy notice',
  marketing_text: 'what guests may agree to be told by mail',
  footer: 'the line at the foot of the portal',
} as const
export type Placeholder = keyof typeof placeholders

export const CustomPortalInput = z.object({
  /** The zip. Its index.html is what guests see first. */
  portal: file([portal_type], file_bytes_max, messages.imports.tooLarge),
  name: z.string(nameRequired).trim().min(1, nameRequired).max(255),
  auth_method_ids: z.array(ref('auth_methods'), authMethodRequired).min(1, authMethodRequired).max(20),
})

/** A file that cannot be taken is named under `errors.portal`, with the reason, and nothing of the zip is kept. */
export const createCustom = upload('/custom-portals-create', CustomPortalInput, Portal)
/** Another zip takes the place of all pages at once; without one they stay. */
export const updateCustom = upload('/custom-portals-update', changesTo('portals', CustomPortalInput), Portal)
