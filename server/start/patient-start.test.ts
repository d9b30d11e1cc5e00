// Patient start: a part of an application that takes long to start is waited for, in each application that is opened.
import fs from 'node:fs'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { patientStart } from '#server/start/patient-start.ts'

afterEach(() => void vi.useRealTimers())

test('a part that takes a minute to start is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = Fastify(patientStart)
  app.register(async () => void (await vi.advanceTimersByTimeAsync(60_000)))
  await expect(app.ready()).resolves.toBe(app)
  await app.close()
})

test('each application waits for its parts', () => {
  const sources = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
  const opening = sources.filter((file) => / = Fastify\(/.test(fs.readFileSync(`server/${file}`, 'utf8')))
  expect(opening.length).toBeGreaterThan(4)
  expect(opening.filter((file) => !fs.readFileSync(`server/${file}`, 'utf8').includes('patientStart'))).toEqual([])
})
