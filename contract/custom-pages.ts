// Custom pages: which pages of a custom portal guests see at which step, and what they may ask for.

/** The placeholders a page may use in double braces, `{{company}}`, and what each is replaced with. */
export const placeholders = {
  company: 'whose Wi-Fi it is',
  property: 'the property that the guest is in; the company where it is not known',
  network: 'the name of the network',
  headline: 'the headline of the portal',
  language: 'the language of the guest: en, de, fr, es, it, nl, pt, pl, ar, he, zh or ja',
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

/** The page guests see first, which a zip must contain. */
export const firstPage = 'index.html'
/** Pages at the top level of a zip, each shown at one step. If one is missing, guests see Foyer's own. */
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
