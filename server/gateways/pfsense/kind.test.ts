// pfSense: the page that is uploaded to it, as a phone opens it.
import vm from 'node:vm'
import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import { arrivalIn } from '#server/gateways/find-kind.ts'
import { pfSense } from './kind.ts'

const portal = 'https://guests.example/p/1'
const action = 'https://192.168.1.1:8003/index.php?zone=guests'

/** As the box writes texts into the page. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

interface Opened {
  to: string | null
  posted: Record<string, string> | null
}

/** What the page does, where the box writes these into it. */
function openPage(search: string, { wanted, message = '' }: { wanted: string; message?: string }): Opened {
  const { lines } = pfSense.definition.setUp({
    host: 'radius.example',
    authentication_port: 1812,
    accounting_port: 1813,
    nas_identifier: 'lobby-1',
    disconnect_port: 3799,
    secret: 'secret',
    portal,
    settings: {},
  })
  const written: Record<string, string> = {
    $PORTAL_ACTION$: action,
    $PORTAL_ZONE$: 'guests',
    $PORTAL_REDIRURL$: escaped(wanted),
    $PORTAL_MESSAGE$: escaped(message),
    $CLIENT_MAC$: '5a:e7:d4:af:45:5e',
  }
  const html = parse(
    (lines ?? '').replaceAll(/\$[A-Z_]+\$/g, (name) => written[name] ?? name),
    {
      blockTextElements: { script: true },
    },
  )
  const fields = Object.fromEntries(
    html
      .querySelectorAll('input')
      .map((input) => [input.getAttribute('name') ?? '', { value: input.getAttribute('value') ?? '' }]),
  )
  const opened: Opened = { to: null, posted: null }
  const form = {
    elements: fields,
    getAttribute: (name: string) => html.querySelector('form')?.getAttribute(name),
    submit: () => {
      opened.posted = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
    },
  }
  const textContent = html.querySelector('#message')?.text ?? ''
  vm.runInNewContext(html.querySelector('script')?.rawText ?? '', {
    document: { forms: [form], getElementById: () => ({ textContent }) },
    location: { search, replace: (address: string) => (opened.to = address) },
  })
  return opened
}

test('its page sends guests to the portal, and says what the box said', () => {
  const wanted = 'http://x.example/a?b="><script>&c'
  const { to, posted } = openPage('?zone=guests&redirurl=x', { wanted })
  expect(posted).toBeNull()
  const query = Object.fromEntries(new URL(to ?? '').searchParams)
  const found = arrivalIn({ address: to ?? '', query })
  expect(found?.kind.definition.id).toBe(11)
  const arrival = { nas_identifier: 'lobby-1', mac_address: '5a:e7:d4:af:45:5e', wanted, outcome: null }
  expect(found?.arrival).toMatchObject(arrival)
  const refused = openPage('?zone=guests', { wanted: '', message: 'No valid RADIUS response' })
  const said = Object.fromEntries(new URL(refused.to ?? '').searchParams)
  expect(arrivalIn({ address: '', query: said })?.arrival.outcome).toBe('refused')
})

test('back at the box, it posts the one-time name and password, and nothing of it goes elsewhere', () => {
  const redirect = {
    address: portal,
    query: { pfsense: 'lobby-1', zone: 'guests', action, mac: '5a:e7:d4:af:45:5e' },
  }
  const gateway = {
    host: '192.168.1.1',
    secret: '',
    settings: {},
    login_method: 'post',
    portal_is_https: true,
  } as const
  const back = `${portal}?online=key`
  const onward = pfSense.portal?.letIn(redirect, gateway, { username: 'pass-1', password: 'a+b/c=', back })
  if (onward?.by !== 'address') throw new Error('not sent on')
  expect(onward.address).toBe('https://192.168.1.1:8003/index.php')
  const { posted, to } = openPage(`?${new URLSearchParams(onward.fields).toString()}`, { wanted: back })
  expect(to).toBeNull()
  expect(posted).toEqual({
    auth_user: 'pass-1',
    auth_pass: 'a+b/c=',
    accept: 'Continue',
    zone: 'guests',
    redirurl: back,
  })
})
