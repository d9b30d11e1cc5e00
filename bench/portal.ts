// Portal: the cost of the guests' page: its rate against a bare server with the same database query, and its first paint against a
// static file of the same bytes.
import fs from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from '@playwright/test'
import Fastify from 'fastify'
import { Client } from 'pg'
import { freePort } from '#server/start/free-port.ts'
import { load, type Load } from './load.ts'
import { median } from './measurement.ts'
import { secretKey, type Server } from './server.ts'
import { startProgram } from './start-program.ts'

const rate_least = 0.5
const paint_ratio_max = 1.3
const rounds = 9
const round_ms = 1500
const slowed_times = 4

export async function benchPortal({ database, postmaster, scratch }: Server) {
  const { url, guestUrl } = await database('portal')
  const public_id = await fill(url)
  const port = await freePort(2)
  const settings = { DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: scratch, ROLES: 'guest' }
  const foyer = await startProgram('server/main.ts', {
    ...settings,
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    PORTAL_URL: `http://localhost:${port + 1}`,
  })
  const guests = { ...foyer, origin: `http://127.0.0.1:${port + 1}` }
  const call = `/p/${public_id}`
  const page = await (await fetch(`${guests.origin}${call}`)).text()
  const file = `${scratch}/portal.html`
  fs.writeFileSync(file, page)
  const bare = await startProgram('bench/bare-portal.ts', { DATABASE_URL: guestUrl, PAGE: file })
  try {
    await rate({ postmaster, call, guests, bare })
    await firstPaint(guests.origin, call, page)
  } finally {
    await foyer.stop()
    await bare.stop()
  }
}

/** A customer with a portal that eight properties show. */
async function fill(url: string): Promise<string> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const { rows } = await admin.query<{ public_id: string }>(
    `with customer as (insert into customers (name) values ('Bench') returning id),
       portal as (insert into portals (customer_id, name, slug, headline, company_name, auth_method_ids, terms, terms_version)
         select id, 'Bench', 'bench', 'Welcome', 'Northwind Stays', '{2, 3}', repeat('Use it lawfully. ', 60), 1
         from customer returning id, customer_id, public_id),
       places as (insert into properties (customer_id, name, portal_id, network_name)
         select customer_id, 'Property ' || i, id, 'Northwind' from portal, generate_series(1, 8) as i)
     select public_id from portal`,
  )
  await admin.end()
  return rows[0]?.public_id ?? ''
}

interface Rated {
  postmaster: number
  call: string
  guests: Awaited<ReturnType<typeof startProgram>>
  bare: Awaited<ReturnType<typeof startProgram>>
}

/** By the processor time of an answer, of server and database together, as that hardly depends on other load on the machine. */
async function rate({ postmaster, call, guests, bare }: Rated) {
  const taken = { foyer: [] as Load[], bare: [] as Load[] }
  for (let round = 0; round <= rounds; round++) {
    const product = await load({ ...guests, call }, postmaster, round_ms)
    const least = await load({ ...bare, call }, postmaster, round_ms)
    // The first round warms up.
    if (round === 0) continue
    taken.foyer.push(product)
    taken.bare.push(least)
  }
  const of = (loads: Load[]) => median(loads.map(({ cpu_ms }) => cpu_ms))
  const ratio = median(taken.foyer.map(({ cpu_ms }, round) => (taken.bare[round]?.cpu_ms ?? Number.NaN) / cpu_ms))
  const counted = median(
    taken.foyer.map(({ answered }, round) => answered / (taken.bare[round]?.answered ?? Number.NaN)),
  )
  console.log(
    `A portal's page: ${of(taken.foyer).toFixed(2)} ms of processor time, the bare server ${of(taken.bare).toFixed(2)} ms: ` +
      `${ratio.toFixed(2)} of its rate (at least ${rate_least}); by the clock ${counted.toFixed(2)}`,
  )
  if (!(ratio >= rate_least)) process.exitCode = 1
}

/** A server of nothing but the page as a static file, and its fonts. */
async function staticServer(origin: string, call: string, page: string) {
  const app = Fastify()
  const body = gzipSync(page)
  app.get(call, (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip', 'cache-control': 'no-store' })
      .send(body),
  )
  for (const [, address = ''] of page.matchAll(/href="(\/fonts\/[^"]+)"/g)) {
    const font = Buffer.from(await (await fetch(`${origin}${address}`)).arrayBuffer())
    app.get(address, (_request, reply) =>
      reply
        .headers({ 'content-type': 'font/woff2', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(font),
    )
  }
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

/** The pages alternate, each in a fresh browser context with a slowed processor. */
async function firstPaint(origin: string, call: string, page: string) {
  const file = await staticServer(origin, call, page)
  const browser = await chromium.launch({
    executablePath: process.env['CHROME'],
    env: { ...process.env, LD_LIBRARY_PATH: process.env['CHROME_LIBRARIES'] },
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const taken = { product: [] as number[], file: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      const product = await painted(browser, `${origin}${call}`)
      const least = await painted(browser, `${file.origin}${call}`)
      if (round === 0) continue
      taken.product.push(product)
      taken.file.push(least)
    }
    const ratio = median(taken.product.map((product, round) => product / (taken.file[round] ?? Number.NaN)))
    console.log(
      `A portal's first paint: ${median(taken.product).toFixed(0)} ms, a file of the same bytes ` +
        `${median(taken.file).toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${paint_ratio_max})`,
    )
    if (!(ratio <= paint_ratio_max)) process.exitCode = 1
  } finally {
    await browser.close()
    await file.close()
  }
}

async function painted(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed_times })
    await page.goto(address)
    return await page
      .waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
      .then((found) => found.jsonValue())
      .then((at) => at ?? Number.NaN)
  } finally {
    await context.close()
  }
}
