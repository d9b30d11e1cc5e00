// First list: how soon the rows of the accounts are visible in a browser with an empty cache, slowed four times, against the minimal
// React page (`bench/minimal`) with the same rows from the same server.
//
// The pages alternate, each in a fresh browser context; the result is the median of the rounds' ratios.
import fs from 'node:fs'
import path from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { Client } from 'pg'
import { build as bundle } from 'vite'
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { median } from './measurement.ts'
import { secretKey, type Server } from './server.ts'

const rounds = 91
const ratio_max = 1.6
const slowed_times = 4
const accounts = 1000
/** The newest account: the first row of both pages. */
const first_row = `Guest ${accounts}`

export async function benchFirstList({ database, scratch }: Server) {
  const webRoot = await bothPages(path.join(scratch, 'web'))
  const { ownerUrl, ...logins } = await database('first_list')
  const node = await openNode({
    config: readConfig({ ROLES: 'api', SIGNUP: 'open' }),
    secretKeys: () => [secretKey],
    ...logins,
    webRoot,
  })
  const browser = await chromium.launch({
    executablePath: process.env['CHROME'],
    env: { ...process.env, LD_LIBRARY_PATH: process.env['CHROME_LIBRARIES'] },
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const origin = await node.app.listen({ port: 0, host: '127.0.0.1' })
    const token = await fill(origin, ownerUrl)
    const show = (page: string) => rowsVisible(browser, `${origin}${page}`, token)
    const taken = { product: [] as number[], minimal: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      const product = await show('/customer/accounts')
      const minimal = await show('/minimal.html')
      // The first round warms up.
      if (round === 0) continue
      taken.product.push(product)
      taken.minimal.push(minimal)
    }
    const ratio = median(taken.product.map((product, round) => product / (taken.minimal[round] ?? Number.NaN)))
    console.log(
      `First list, rows visible: ${median(taken.product).toFixed(0)} ms, the minimal React page ` +
        `${median(taken.minimal).toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${ratio_max})`,
    )
    if (ratio > ratio_max) process.exitCode = 1
  } finally {
    await browser.close()
    await node.close()
  }
}

interface Compressing {
  compress(folder: string): Promise<void>
}

/** A folder with the web app as shipped, and the minimal page, bundled and compressed the same way. */
async function bothPages(folder: string): Promise<string> {
  const root = path.join(import.meta.dirname, 'minimal')
  await bundle({ root, configFile: false, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
  fs.renameSync(path.join(folder, 'index.html'), path.join(folder, 'minimal.html'))
  const { compress } = (await import(String(new URL('../scripts/compress.mjs', import.meta.url)))) as Compressing
  await compress(folder)
  fs.cpSync('dist/web', folder, { recursive: true })
  return folder
}

/** A customer with `accounts` accounts in one property; returns the token of its editor. */
async function fill(origin: string, ownerUrl: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'app-context': 'customer' },
    body: JSON.stringify({
      company_name: 'Bench',
      name: 'Bench',
      email: 'bench@example.com',
      password: 'a long enough password',
    }),
  })
  const { data } = (await response.json()) as { data: { access_token: string; user: { owner_id: number } } }
  const admin = new Client({ connectionString: ownerUrl })
  await admin.connect()
  await admin.query(
    `with property as (insert into properties (customer_id, name) values ($1, 'The Lantern') returning id)
     insert into accounts (customer_id, property_id, name, email, username, created_at)
     select $1, property.id, 'Guest ' || i, 'guest' || i || '@example.com', 'guest' || i, now() - ($2 - i) * interval '1 minute'
     from property, generate_series(1, $2) as i`,
    [data.user.owner_id, accounts],
  )
  await admin.end()
  return data.access_token
}

/** Milliseconds from the start of the navigation to the frame that shows the first row. */
async function rowsVisible(browser: Browser, address: string, token: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed_times })
    await page.addInitScript(
      ({ token, first_row }) => {
        sessionStorage.setItem('foyer-session', token)
        const look = () => {
          if (document.querySelector('tbody')?.textContent.includes(first_row)) performance.mark('rows visible')
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      },
      { token, first_row },
    )
    await page.goto(address, { waitUntil: 'commit' })
    return await page
      .waitForFunction(() => performance.getEntriesByName('rows visible')[0]?.startTime, undefined, { polling: 50 })
      .then((found) => found.jsonValue())
      .then((at) => at ?? Number.NaN)
  } finally {
    await context.close()
  }
}
