// Simulate: simulated guests of the demo until it is stopped, for a Foyer that runs with the same settings.
import { setTimeout as sleep } from 'node:timers/promises'
import { readDemo } from '#scripts/simulation/demo-file.ts'
import { runFrontOffice } from '#scripts/simulation/front-office.ts'
import { simulate, type Counts } from '#scripts/simulation/simulate.ts'
import { readConfig } from '#server/start/config.ts'

const pace = { arrival_ms: 900, stay_ms: 5 * 60_000, report_ms: 20_000 }
/** A first build takes a while. */
const start_max_ms = 10 * 60_000

const sentence = ({ came, left, refused }: Counts) => `${came} came, ${left} left, ${refused} did not get on`

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => stopped.abort())

const { data_dir, host, port, portal_url, radius_ports } = readConfig(process.env)
const demo = readDemo(data_dir)
const api = `http://${host}:${port}`
if (demo && radius_ports && (await isReady())) {
  const office = demo.front_office && runFrontOffice(demo.front_office, stopped.signal).catch(console.error)
  const counts = await simulate({
    sites: demo.sites,
    portal_url,
    ports: radius_ports,
    pace,
    signal: stopped.signal,
    // Foyer stops at the same time.
    farewell_max_ms: 1000,
    listening: (id, disconnect_port) => updateGateway(demo.token, { id, disconnect_port }),
    counted: (now, online) => console.log(`Guests: ${online} online, ${sentence(now)}`),
  })
  await office
  console.log(`Guests are gone: ${sentence(counts)}`)
}

async function isReady(): Promise<boolean> {
  for (const began = Date.now(); Date.now() - began < start_max_ms && !stopped.signal.aborted;) {
    const answer = await fetch(`${api}/readyz`).catch(() => null)
    if (answer?.ok) return true
    await sleep(500)
  }
  return false
}

/** @throws {Error} if Foyer refuses it */
async function updateGateway(token: string, gateway: { id: number; disconnect_port: number }) {
  const answer = await fetch(`${api}/api/v1/gateways-update`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'app-context': 'customer', 'content-type': 'application/json' },
    body: JSON.stringify(gateway),
  })
  if (!answer.ok) throw new Error(`gateways-update answered ${answer.status}: ${await answer.text()}`)
}
