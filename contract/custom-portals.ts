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
  time_left: 'how much time the guest still has, once it is known',
  data_left: 'how much data the guest still has, once it is known',
  redirect_url: 'where guests are to go once they are online',
  query: 'what keeps a guest known from page to page: written behind the address of another page of the zip',
} as const
export type Placeholder = keyof typeof placeholders

/** What guests see first, and what a zip must hold. */
export const firstPage = 'index.html'
/** Pages at the top of a zip that are shown to a guest at one step. Where one is missing, guests see Foyer's own. */
export const stepPages = {
  [firstPage]: 'where guests sign in',
  'error.html': 'why somebody was not let in; without it, index.html says so',
  'code.html': 'where the code of an e-mail or a text message is typed',
  'success.html': 'just online',
  'status.html': 'online for a while: what is left, and the way to sign out',
  'signed-out.html': 'offline again',
} as const
export type StepPage = keyof typeof stepPages
export const isStepPage = (name: string): name is StepPage => Object.hasOwn(stepPages, name)

export const CustomPortalInput = z.object({
  /** The zip. Its index.html is what guests see first; `stepPages` are what it may hold besides. */
  portal: file([portal_type], file_bytes_max, messages.imports.tooLarge),
  name: z.string(nameRequired).trim().min(1, nameRequired).max(255),
  auth_method_ids: z.array(ref('auth_methods'), authMethodRequired).min(1, authMethodRequired).max(20),
})

/** A file that cannot be taken is named under `errors.portal`, with the reason, and nothing of the zip is kept. */
export const createCustom = upload('/custom-portals-create', CustomPortalInput, Portal)
/** Another zip takes the place of all pages at once; without one they stay. */
export const updateCustom = upload('/custom-portals-update', changesTo('portals', CustomPortalInput), Portal)
