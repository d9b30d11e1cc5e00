// RADIUS apart: the real program under an operator's start has RADIUS in a process of its own, which is started again where it ends,
// ends with the node, and is read where the node is.
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, secretKey } from '#test/database.ts'
import { beginFoyer, killAll, type Foyer, type Starting } from '#test/process.ts'
import { guest, register } from '#test/proofs/radius-operator.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'

const patience = { timeout: 60_000, interval: 100 }
let node: Starting
let foyer: Foyer
let gateway: TestGateway
let metrics_port: number
let settings: Record<string, string>

beforeAll(async () => {
  const database = await freshDatabase()
  const access = await freePort(2)
  metrics_port = await freePort()
  settings = {
    DATABASE_URL: database.adminUrl,
    SECRET_KEY: secretKey,
    METRICS_PORT: String(metrics_port),
    RADIUS_AUTH_PORT: String(access),
    RADIUS_ACCT_PORT: String(access + 1),
    SIGNUP: 'open',
    LOG_FORMAT: 'json',
  }
  node = beginFoyer(settings)
  foyer = await node.ready
  const [made] = await register(foyer, 1)
  if (!made) throw new Error('no gateway')
  gateway = await openGateway({ access, accounting: access + 1 }, made)
})
afterAll(async () => {
  await gateway?.close()
  killAll()
})

const parentOf = (pid: string) => {
  try {
    // The name in brackets may contain spaces; the parent is the second field behind it.
    return Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return null
  }
}
const childrenOf = (parent: number | undefined) =>
  fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === parent)
    .map(Number)
const lives = (pid: number) => fs.existsSync(`/proc/${pid}`)
const ready = async () => ((await (await fetch(`${foyer.url}/readyz?role=radius`)).json()) as { status: string }).status
const signIn = async () => (await gateway.access({ ...guest, calling_station_id: '00-00-5E-00-53-01' })).code

test('a gateway is answered by a process of its own, and both are measured in one place', async () => {
  const [apart, ...others] = childrenOf(foyer.child.pid)
  expect([apart, others]).toEqual([expect.any(Number), []])
  expect(await signIn()).toBe(code.access_accept)
  expect(await ready()).toBe('ready')
  const text = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text()
  expect(text).toMatch(/foyer_radius_packet_seconds_count\{kind="access",result="answered",process="radius"\} [1-9]/)
  expect(text).toMatch(/foyer_requests_total\{app="api",route="\/api\/v1\/auth\/signup",method="POST",status="201"\} 1/)
  expect(text.match(/^process_start_time_seconds(\{process="radius"\})? /gm)).toHaveLength(2)
})

test('a process that has ended is started again, and the log says so', async () => {
  const [apart = 0] = childrenOf(foyer.child.pid)
  process.kill(apart, 'SIGKILL')
  await expect.poll(() => childrenOf(foyer.child.pid).filter((pid) => pid !== apart).length, patience).toBe(1)
  // The gateway repeats its packet, as gateways do.
  expect(await signIn()).toBe(code.access_accept)
  await expect.poll(ready, patience).toBe('ready')
  expect(node.output()).toMatch(
    /"level":"error",.*"signal":"SIGKILL",.*RADIUS ended unexpectedly and is being restarted/,
  )
})

test('a signal to both, as of a service manager, leaves no error, and both end', async () => {
  const [apart = 0] = childrenOf(foyer.child.pid)
  const before = node.output().length
  process.kill(apart, 'SIGTERM')
  foyer.child.kill('SIGTERM')
  await expect.poll(() => [foyer.child.exitCode, lives(apart)], patience).toEqual([0, false])
  expect(node.output().slice(before)).not.toMatch(/"level":"(warn|error)"/)
})

test('a node that is killed leaves no process behind', async () => {
  foyer = await beginFoyer(settings).ready
  const [apart = 0] = childrenOf(foyer.child.pid)
  expect(apart).toBeGreaterThan(0)
  await foyer.kill()
  await expect.poll(() => lives(apart), patience).toBe(false)
})

test('a port of gateways that is taken is refused with the settings that help', async () => {
  const taken = { ...settings, RADIUS_ACCT_PORT: String(gateway.port), RADIUS_HOST: '0.0.0.0' }
  await expect(beginFoyer(taken).ready).rejects.toThrow(/Stop what listens there, or set RADIUS_HOST/)
})

test('a node that has no other role needs no second process', async () => {
  const alone = await beginFoyer({ ...settings, ROLES: 'radius' }).ready
  expect(childrenOf(alone.child.pid)).toEqual([])
  expect(await signIn()).toBe(code.access_accept)
  await alone.kill()
})
