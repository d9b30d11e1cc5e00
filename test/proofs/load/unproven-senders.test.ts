// Unproven senders: packets from unregistered gateways, from many addresses and from one. Guests of proven gateways are
// answered meanwhile as if there were no others, and the log does not fill up.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { code, status_type } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase } from '#test/database.ts'
import { aMacAddress } from '#test/foyer.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { openGateway, packetOf } from '#test/radius-client.ts'
import { full } from '#test/proofs/proof.ts'
import { guest, register } from '#test/proofs/radius-operator.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-strangers-'))
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const gateways_count = 20
/** Longer than a node caches a gateway: each sign-in is looked up again. */
const asks_every_ms = 6000
const rounds = full ? 10 : 2
const addresses_count = 400
const of_addresses_a_second = 400
const of_one_a_second = 1500
const answered_within_ms = 1000
const log_bytes_a_second_max = 10_000

async function socketAt(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

/** Packets with a different NAS identifier each; every second one is a report. */
async function makeNoise(ports: { access: number; accounting: number }) {
  const many: Socket[] = []
  for (let n = 0; n < addresses_count; n++) many.push(await socketAt(`127.10.${n >> 8}.${n & 255}`))
  const one = await socketAt('127.11.0.1')
  let sent = 0
  const send = (socket: Socket) => {
    const isAccess = sent++ % 2 === 0
    const kind = isAccess ? code.access_request : code.accounting_request
    const named = { nas_identifier: `nobody-${sent}`, user_name: 'amelia', called_station_id: aMacAddress() }
    const packet = packetOf({ ...named, acct_status_type: 1 }, { secret: 'made up', kind })
    socket.send(packet, isAccess ? ports.access : ports.accounting, '127.0.0.1')
  }
  const began_at = performance.now()
  let of_many = 0
  let of_one = 0
  const timer = setInterval(() => {
    const seconds = (performance.now() - began_at) / 1000
    for (; of_many < seconds * of_addresses_a_second; of_many++) send(many[of_many % addresses_count] ?? one)
    for (; of_one < seconds * of_one_a_second; of_one++) send(one)
  }, 10)
  return {
    sent: () => sent,
    stop() {
      clearInterval(timer)
      for (const socket of [...many, one]) socket.close()
      return (performance.now() - began_at) / 1000
    },
  }
}

test.runIf(process.platform === 'linux')(
  'during noise from 400 unknown addresses and from one, every guest of a proven gateway is answered within a second',
  { timeout: 600_000 },
  async ({ task }) => {
    const database = await freshDatabase()
    const first = await freePort(2)
    const ports = { access: first, accounting: first + 1 }
    const settings = {
      DATA_DIR: path.join(scratch, 'data'),
      DATABASE_URL: database.appUrl,
      DATABASE_AUTH_URL: database.authUrl,
      DATABASE_GUEST_URL: database.guestUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
      SIGNUP: 'open',
      ROLES: 'api,radius',
      RADIUS_AUTH_PORT: String(ports.access),
      RADIUS_ACCT_PORT: String(ports.accounting),
    }
    const before = await startFoyer(settings)
    const made = await register(before, gateways_count)
    const gateways = await Promise.all(made.map((box) => openGateway(ports, box)))
    // Each gateway proves itself once; nodes started later know that.
    for (const gateway of gateways) await gateway.report({ acct_status_type: status_type.accounting_on })
    await before.kill()
    const foyer = await startFoyer(settings)
    let logged_bytes = 0
    foyer.child.stderr?.on('data', (text: string) => (logged_bytes += Buffer.byteLength(text)))

    const noise = await makeNoise(ports)
    const waits_ms: (number | null)[] = []
    await Promise.all(
      gateways.map(async (gateway, n) => {
        await sleep((asks_every_ms * (n + 1)) / gateways_count)
        for (let round = 0; round < rounds; round++) {
          const packet = gateway.accessPacket({ ...guest, calling_station_id: aMacAddress() })
          const asked_at = performance.now()
          const answer = await gateway.send(packet, ports.access, 10_000)
          const isIn = answer?.code === code.access_accept
          waits_ms.push(isIn ? performance.now() - asked_at : null)
          await sleep(Math.max(0, asks_every_ms - (performance.now() - asked_at)))
        }
      }),
    )
    const seconds = noise.stop()
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await foyer.kill()
    await database.drop()

    const answered = waits_ms.filter((wait) => wait !== null)
    const [packets_a_second, log_a_second] = [noise.sent() / seconds, logged_bytes / seconds]
    task.meta.figures =
      `${Math.round(packets_a_second)} packets of noise a second for ${Math.round(seconds)} s; ${answered.length} of ` +
      `${waits_ms.length} sign-ins answered, within ${Math.round(Math.max(...answered))} ms; ` +
      `${Math.round(log_a_second)} bytes of log a second`
    expect(packets_a_second).toBeGreaterThan((of_addresses_a_second + of_one_a_second) * 0.9)
    expect(answered).toHaveLength(gateways_count * rounds)
    expect(Math.max(...answered)).toBeLessThan(answered_within_ms)
    expect(log_a_second).toBeLessThan(log_bytes_a_second_max)
  },
)
