// `npm run proof:container`: builds deploy/Containerfile and runs deploy/compose.yaml with podman, as root on Linux, from the commit
// that is checked out. The observations are printed, and kept in docs/proofs.md.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { code as packet_code } from '#server/radius-codec/dictionary.ts'
import { openGateway } from '#test/radius-client.ts'
import { build, compose, getBase, missingHere, openEngine, podman, runIsolated } from './container/engine.ts'
import { makeSite, propertiesOf } from './opennds/site.ts'
import { writeObservations, observed } from './observations.ts'

const missing = missingHere()
if (missing) {
  console.error(missing)
  process.exit(1)
}
const scratch = process.env['CONTAINER_SCRATCH']
if (!scratch) {
  // Images are large, and /tmp may be a memory file system.
  const CONTAINER_SCRATCH = fs.mkdtempSync(path.join(process.env['TMPDIR'] ?? '/var/tmp', 'foyer-container-'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  const code = runIsolated({ CONTAINER_SCRATCH })
  fs.rmSync(CONTAINER_SCRATCH, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  process.exit(code)
}

const context = path.join(scratch, 'foyer')
const composeFile = path.join(context, 'deploy/compose.yaml')
/** The names that compose derives from the file. */
const image = 'foyer'
const container = 'deploy_foyer_1'
const volumes = { data: 'deploy_foyer', backups: 'deploy_backups' }
const url = 'http://127.0.0.1:3000'
const portal_port = 3001
const radius_ports = { access: 1812, accounting: 1813 }
const start_max_ms = 60_000
const kills = 5
/** The same as `stop_grace_period`. */
const stop_max_s = 90
const backup = '/backups/foyer.tar.zst'
const property = 'The Lantern'

const inContainer = (...command: string[]) => podman('exec', container, ...command)
const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`

async function prove(folder: string) {
  openEngine(folder)
  fs.mkdirSync(context)
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', context])

  const base = await getBase(folder)
  observed(`debian:12-slim: ${base}, ${await megabytesOf('debian:12-slim')}`)
  const build_began = performance.now()
  await build(folder, { context, file: path.join(context, 'deploy/Containerfile'), name: image })
  observed(`The image: built from the commit in ${seconds(build_began)}, ${await megabytesOf(image)} with its base`)

  await up()
  observed(`\`podman-compose up\`: ready after ${await readyAfter()}, in new volumes`)
  await podman('healthcheck', 'run', container)
  observed('Its own HEALTHCHECK: healthy')

  const { portal_url, voucher, nas_identifier, secret } = await makeSite(url)
  assert.deepEqual(await propertiesOf(url), [property])
  observed('Over the published port: a customer signs up, and makes a portal with a picture, a property and vouchers')
  const page = await fetch(`http://127.0.0.1:${portal_port}${new URL(portal_url).pathname}`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Welcome/)
  observed("Over the other: the guests' page of that portal")
  const box = await openGateway(radius_ports, { nas_identifier, radius_secret: secret })
  const answer = await box.access({ user_name: voucher, password: voucher, calling_station_id: '02-00-00-00-00-07' })
  await box.close()
  assert.equal(answer.code, packet_code.access_accept)
  observed('Over those of RADIUS: a gateway asks for a voucher, and is told to let its guest in')
  await checkProcesses()

  const output = await inContainer('node', 'scripts/backup.ts', backup)
  observed(`A backup while it runs: "${output.split('\n').find((line) => line.startsWith('Backed up'))}"`)
  const copied = path.join(folder, 'backups')
  await podman('cp', `${container}:/backups`, copied)
  observed(`Copied out of the container: ${fs.readdirSync(copied).join(', ')}`)

  const stop_began = performance.now()
  await podman('stop', '--time', String(stop_max_s), container)
  const exit_code = await podman('inspect', '--format', '{{.State.ExitCode}}', container)
  assert.equal(exit_code, '0')
  observed(
    `Stopped: ended by itself with ${exit_code} after ${seconds(stop_began)}, of ${stop_max_s} s that it may take`,
  )
  await podman('start', container)
  const after = await readyAfter()
  assert.deepEqual(await propertiesOf(url), [property])
  observed(`Started again: ready after ${after}, the property is there`)

  const restarts: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    await podman('kill', '--signal', 'KILL', container)
    await podman('wait', container)
    await podman('start', container)
    restarts.push(await readyAfter())
    assert.deepEqual(await propertiesOf(url), [property])
  }
  observed(
    `Killed ${kills} times with all its processes: ready again after ${restarts.join(', ')}, the property is there`,
  )

  await compose(composeFile, 'down')
  await podman('volume', 'rm', volumes.data)
  const mounts = ['--volume', `${volumes.data}:/var/lib/foyer`, '--volume', `${volumes.backups}:/backups`]
  const restored = await podman('run', '--rm', ...mounts, image, 'node', 'scripts/restore.ts', backup)
  observed(`Restored into a new volume: "${restored.split('\n').find((line) => line.startsWith('Restored'))}"`)
  await up()
  const after_restore = await readyAfter()
  assert.deepEqual(await propertiesOf(url), [property])
  observed(`Started from it: ready after ${after_restore}, the property is there`)
}

const up = () => compose(composeFile, 'up', '--detach', '--no-build')

const megabytesOf = async (name: string) =>
  `${Math.round(Number(await podman('image', 'inspect', '--format', '{{.Size}}', name)) / 1e6)} MB`

async function readyAfter(): Promise<string> {
  for (const began = performance.now(); performance.now() - began < start_max_ms; await sleep(100))
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return seconds(began)
  throw new Error(`not ready: ${await podman('logs', '--tail', '50', container)}`)
}

/** Checks users, writable files, and that orphaned processes are reaped. */
async function checkProcesses() {
  await inContainer('sh', '-c', '(sleep 1 &)')
  await sleep(2000)
  const statuses = await inContainer('sh', '-c', 'cat /proc/[0-9]*/status')
  const processes = statuses.split(/^(?=Name:)/m).map((status) => ({
    uid: /^Uid:\s+(\d+)/m.exec(status)?.[1],
    state: /^State:\s+(\w)/m.exec(status)?.[1],
  }))
  const users = new Set(processes.map(({ uid }) => uid))
  assert.deepEqual([...users], ['10001'])
  assert.ok(processes.length > 5)
  assert.deepEqual(
    processes.filter(({ state }) => state === 'Z'),
    [],
  )
  assert.equal(await inContainer('find', '/opt', '/usr', '-writable', '!', '-type', 'l'), '')
  observed(`Inside: ${processes.length} processes of user 10001, none of root, who can write to nothing of the program`)
  observed('Inside: a process whose parent has ended is reaped')
}

const stopped = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => reject(new Error(`Stopped by ${signal}`)))
})
let code = 0
try {
  await Promise.race([prove(scratch), stopped])
  writeObservations('In a container', 'npm run proof:container')
} catch (error) {
  code = 1
  console.error(error)
}
// This also ends podman's helper processes.
await podman('rm', '--all', '--force', '--time', '0').catch(console.error)
process.exit(code)
