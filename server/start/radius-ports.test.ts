// The ports of RADIUS that nobody has set: its own if they are free, and the same ones at each later start.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keptRadiusPorts, usualRadiusPorts } from './radius-ports.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-ports-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const host = '127.0.0.1'

async function listening(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  return { socket, port: socket.address().port }
}

test('the wanted ports are taken if both are free, and others where one is taken', async () => {
  const { socket, port: taken } = await listening()
  const [one, two] = [await listening(), await listening()]
  const free = { access: one.port, accounting: two.port }
  for (const { socket: open } of [one, two]) open.close()
  expect(await keptRadiusPorts(path.join(folder, 'free'), host, free)).toEqual(free)

  const others = await keptRadiusPorts(path.join(folder, 'taken'), host, { access: free.access, accounting: taken })
  expect(others.access).not.toBe(free.access)
  expect(others.accounting).not.toBe(taken)
  socket.close()
})

test('a later start has the same ports, whoever listens there now', async () => {
  const chosen = await keptRadiusPorts(path.join(folder, 'kept'), host, null)
  const socket = createSocket('udp4')
  socket.bind(chosen.access, host)
  await once(socket, 'listening')
  expect(await keptRadiusPorts(path.join(folder, 'kept'), host, usualRadiusPorts)).toEqual(chosen)
  socket.close()
})

test('a file that cannot be read is said, not replaced: gateways have those ports', async () => {
  const at = path.join(folder, 'damaged')
  fs.mkdirSync(at)
  fs.writeFileSync(path.join(at, 'radius-ports.json'), '{"access": 1812')
  await expect(keptRadiusPorts(at, host, usualRadiusPorts)).rejects.toThrow(
    /Set RADIUS_AUTH_PORT and RADIUS_ACCT_PORT to those that your gateways use/,
  )
})
