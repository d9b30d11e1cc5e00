// Browser: a minimal browser for a guest's phone: opening the portal, filling in its form, and following its redirect.
import { parse, type HTMLElement } from 'node-html-parser'
import type { Holder } from '#scripts/simulation/site.ts'
import type { Brought } from '#server/gateways/simulated.ts'

export interface Page {
  address: string
  html: HTMLElement
}

/** `brought`: the fields with which the portal sent the guest `to` the gateway; `page`: what it showed instead. */
export type Answer = { brought: Brought; to: URL } | { page: Page }

const patience_ms = 20_000

/** @throws {Error} if the portal cannot be opened */
export async function openPage(address: string): Promise<Page> {
  const response = await fetch(address, { signal: AbortSignal.timeout(patience_ms) })
  if (!response.ok) throw new Error(`the portal answered ${response.status}`)
  return { address: response.url, html: parse(await response.text()) }
}

const formIn = ({ html }: Page) => html.querySelector('form[method=post]')

/** The ways in that the page offers, as `authMethods`. */
export const methodsIn = (page: Page): number[] =>
  (formIn(page)?.querySelectorAll('input[name=method]') ?? []).map((input) => Number(input.getAttribute('value')))

/** Fills the form in, ticks required checkboxes (`ticks`: all of them), and submits it. */
export async function signIn(page: Page, { method, typed }: Holder, ticks: boolean): Promise<Answer> {
  const form = formIn(page)
  if (!form) return { page }
  const fields: Record<string, string> = { ...typed, method: String(method) }
  for (const input of form.querySelectorAll('input')) {
    const { name = '', type = 'text', value = '' } = input.attributes
    const isAgreed = type === 'checkbox' && (ticks || input.hasAttribute('required'))
    if (isAgreed || (type === 'hidden' && !(name in fields))) fields[name] = value
  }
  const response = await fetch(new URL(form.getAttribute('action') ?? '', page.address), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(patience_ms),
  })
  if (response.status >= 400) throw new Error(`the portal answered ${response.status}`)
  const location = response.headers.get('location')
  if (location !== null) {
    const to = new URL(location)
    return { brought: Object.fromEntries(to.searchParams), to }
  }
  const html = parse(await response.text())
  const onward = html.querySelector('form#hand-over')
  if (!onward) return { page: { address: page.address, html } }
  const hidden = onward.querySelectorAll('input[type=hidden]')
  return {
    to: new URL(onward.getAttribute('action') ?? ''),
    brought: Object.fromEntries(hidden.map(({ attributes: { name = '', value = '' } }) => [name, value])),
  }
}
