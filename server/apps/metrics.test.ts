// Metrics: Prometheus reads them on a port of their own; no label names a customer, and their number does not grow with requests.
import { afterAll, expect, test } from 'vitest'
import { killAll, startFoyer } from '#test/process.ts'
import { freshDatabase, secretKey } from '#test/database.ts'
import { answerOf, expectRefused } from '#test/refused.ts'
import { freePort } from '#server/start/free-port.ts'
import { notFound } from '#server/errors/refused.ts'

afterAll(killAll)

test('a running node is read on METRICS_PORT and nowhere else', async () => {
  const database = await freshDatabase()
  const port = await freePort()
  const foyer = await startFoyer({
    DATABASE_URL: database.adminUrl,
    SECRET_KEY: secretKey,
    METRICS_PORT: String(port),
    SIGNUP: 'open',
  })
  const post = (call: string, body: object) =>
    fetch(`${foyer.url}/api/v1${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const owner = {
    company_name: 'Harbour',
    name: 'Ada',
    email: 'ada@harbour.example',
    password: 'quite a long password',
  }
  expect((await post('/auth/signup', owner)).status).toBe(201)
  expect((await post('/auth/forgot-password', { email: owner.email })).status).toBe(200)
  for (const nowhere of ['/api/v1/one', '/api/v1/two', '/three.php']) await fetch(foyer.url + nowhere)

  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  // The mail counts as sent a moment before its job counts as done.
  await expect
    .poll(read, { timeout: 60_000, interval: 200 })
    .toMatch(/foyer_jobs_total{queue="mail",result="done"} [1-9]/)
  const text = await read()
  expect(text).toContain('foyer_requests_total{app="api",route="/api/v1/auth/signup",method="POST",status="201"} 1')
  expect(text).toContain('foyer_requests_total{app="api",route="none",method="GET",status="404"} 3')
  for (const name of [
    'foyer_request_seconds_bucket{le="0.1",app="api",route="/api/v1/auth/signup"',
    'foyer_turn_wait_seconds_count{work="sign_in"}',
    'foyer_turns_waiting{work="reads"} 0',
    'foyer_connections_open{pool="main"}',
    'foyer_queue_jobs{queue="mail"}',
    'foyer_mails_total{result="sent"}',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(text).toContain(name)
  expect(text).not.toMatch(/harbour|ada@/i)
  expectRefused(await answerOf(await fetch(`${foyer.url}/metrics`)), notFound())
  await foyer.kill()
  await database.drop()
})
