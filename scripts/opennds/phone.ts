// Phone: a guest's browser in the guest's network: all that it asks for goes through the gateway.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse, type HTMLElement } from 'node-html-parser'
import { guest } from './network.ts'

export interface Page {
  address: string
  status: number
  /** Where it sends the browser on. */
  leads_to: string | null
  html: HTMLElement
}
type Fields = Record<string, string>

const run = promisify(execFile)
const written = '\n%{http_code} %{redirect_url}'
const redirects_max = 10

/** With fields: a form that is sent. @throws {Error} when nobody answers */
export async function ask(address: string, fields?: Fields): Promise<Page> {
  const sent = Object.entries(fields ?? {}).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
  const args = ['netns', 'exec', guest.namespace, 'curl', '-sS', '--max-time', '20', '-w', written, ...sent, address]
  const { stdout } = await run('ip', args, { maxBuffer: 32 * 1024 * 1024 })
  const [, body = '', status, leads_to] = /^([^]*)\n(\d+) (.*)$/.exec(stdout) ?? []
  return { address, status: Number(status), leads_to: leads_to || null, html: parse(body) }
}

/** The page at the end, and the addresses on the way to it. */
export async function follow(address: string): Promise<Page & { way: string[] }> {
  const way: string[] = []
  for (let next = address; ;) {
    way.push(next)
    const page = await ask(next)
    if (page.leads_to === null) return { ...page, way }
    if (way.length > redirects_max) throw new Error(`sent in circles: ${way.join(' → ')}`)
    next = page.leads_to
  }
}

/** Sends the page's form with what is typed, and what must be ticked. */
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
