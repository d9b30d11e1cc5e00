// Phone: a guest's browser in the guest's network: all its requests go through the gateway.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse, type HTMLElement } from 'node-html-parser'
import { guest } from './network.ts'

export interface Page {
  address: string
  status: number
  /** The address of a redirect. */
  leads_to: string | null
  html: HTMLElement
}
type Fields = Record<string, string>

const run = promisify(execFile)
const written = '\n%{http_code} %{redirect_url}'
const redirects_max = 10

/** The certificates that the phone trusts: those of a file. */
let trusted: string[] = []
export const trust = (authority: string) => void (trusted = ['--cacert', authority])

const phone = (...args: string[]) =>
  run('ip', ['netns', 'exec', guest.namespace, 'curl', '-sS', ...trusted, ...args], { maxBuffer: 32 * 1024 * 1024 })

/** How many bytes came. */
export async function download(address: string): Promise<number> {
  const { stdout } = await phone('--max-time', '60', '-o', '/dev/null', '-w', '%{size_download}', address)
  return Number(stdout)
}

/** With `fields`, posts them as a form. @throws {Error} if there is no answer */
export async function ask(address: string, fields?: Fields): Promise<Page> {
  const sent = Object.entries(fields ?? {}).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
  const { stdout } = await phone('--max-time', '20', '-w', written, ...sent, address)
  const [, body = '', status, leads_to] = /^([^]*)\n(\d+) (.*)$/.exec(stdout) ?? []
  return { address, status: Number(status), leads_to: leads_to || null, html: parse(body) }
}

/** Follows redirects; returns the final page, and the addresses on the way to it. */
export async function follow(address: string): Promise<Page & { redirects: string[] }> {
  const redirects: string[] = []
  for (let next = address; ;) {
    redirects.push(next)
    const page = await ask(next)
    if (page.leads_to === null) return { ...page, redirects }
    if (redirects.length > redirects_max) throw new Error(`redirected in circles: ${redirects.join(' → ')}`)
    next = page.leads_to
  }
}

/** Submits the page's form with the given fields, the hidden ones, and the required checkboxes. */
export function submit({ address, html }: Page, typed: Fields): Promise<Page> {
  const form = html.querySelector('form[method=post]')
  if (!form) throw new Error(`no form on ${address}: ${html.querySelector('body')?.structuredText}`)
  const fields = { ...typed }
  for (const input of form.querySelectorAll('input')) {
    const { name = '', type = 'text', value = '' } = input.attributes
    const isSent = type === 'hidden' || (type === 'checkbox' && input.hasAttribute('required'))
    if (isSent && !(name in fields)) fields[name] = value
  }
  return ask(new URL(form.getAttribute('action') ?? '', address).href, fields)
}
