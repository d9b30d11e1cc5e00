// OPNsense: the page that is uploaded to it, as a phone opens it.
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { arrivalIn } from '#server/gateways/find-kind.ts'
import { opnSense } from './kind.ts'

const portal = 'https://guests.example/p/1'

/** Where the page leads to, for a guest of whom the box says this. */
function openPage(
  status: Record<string, string>,
  search: string,
  box = 'lobby-1',
): { to: string | null; text: string } {
  const { lines } = opnSense.definition.setUp({
    host: 'radius.example',
    authentication_port: 1812,
    accounting_port: 1813,
    nas_identifier: box,
    disconnect_port: 3799,
    secret: 'secret',
    portal,
    settings: {},
  })
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(lines ?? '') ?? []
  let to: string | null = null
  const state = { textContent: '' }
  class XMLHttpRequest {
    responseText = JSON.stringify(status)
    asked = ''
    onload = () => {}
    open(method: string, path: string) {
      this.asked = `${method} ${path}`
    }
    send() {
      if (this.asked === 'GET /api/captiveportal/access/status/') this.onload()
    }
  }
  const location = { search, replace: (address: string) => (to = address) }
  vm.runInNewContext(script, { XMLHttpRequest, location, document: { getElementById: () => state } })
  return { to, text: state.textContent }
}

const guest = { clientState: 'NOT_AUTHORIZED', ipAddress: '192.168.1.77', macAddress: '5a:e7:d4:af:45:5e' }

test('its page sends guests to the portal, with the device and what they wanted', () => {
  for (const box of ['lobby-1', `</script><script>"'&x=1`]) {
    const { to } = openPage(guest, '?redirurl=x.example%2Fa', box)
    expect(to).toMatch(/^https:\/\/guests\.example\/p\/1\?/)
    const query = Object.fromEntries(new URL(to ?? '').searchParams)
    const found = arrivalIn({ address: to ?? '', query })
    expect(found?.kind.definition.id).toBe(12)
    const device = { nas_identifier: box, mac_address: guest.macAddress, wanted: 'http://x.example/a' }
    expect(found?.arrival).toMatchObject(device)
    expect(query['ip']).toBe(guest.ipAddress)
  }
})

test('who is online stays where they are; without the device’s address nobody can be let in', () => {
  expect(openPage({ clientState: 'AUTHORIZED' }, '')).toEqual({ to: null, text: 'You are online.' })
  const { macAddress: _, ...nameless } = guest
  const { to } = openPage(nameless, '')
  const query = Object.fromEntries(new URL(to ?? '').searchParams)
  expect(arrivalIn({ address: to ?? '', query })?.arrival).toMatchObject({ mac_address: null, wanted: null })
})
