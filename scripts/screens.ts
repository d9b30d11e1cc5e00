// Screens: takes pictures of every screen and dialog of the demo at five widths, in light and dark, at 200 % and from right to left, for
// review by people who did not build them; `index.html` next to the pictures shows them all, and marks those that scroll sideways or had
// an error.
//
//   npm run screens                               all of them; takes a quarter of an hour or more
//   npm run screens -- --to ./pictures rooms      those with one of these words in their name
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { readDemo } from '#scripts/simulation/demo-file.ts'
import { contactSheet, type Picture } from '#scripts/screens/contact-sheet.ts'
import { idsOf, loginOf } from '#scripts/screens/demo-records.ts'
import { shotsOf, signedOutShots, slugOf, type Shot } from '#scripts/screens/shots.ts'
import { readConfig } from '#server/start/config.ts'
import { compiled, startFoyer } from '#test/process.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 1152, height: 800 },
  { width: 1048, height: 800 },
  { width: 839, height: 1100 },
  // The first one at 200 %.
  { width: 720, height: 450 },
  { width: 390, height: 844 },
]
/** At these widths also as somebody sees it who reads from right to left. */
const mirrored = [1440, 390]
const schemes = ['light', 'dark'] as const
/** A long list loads more as it is scrolled; this much shows what the rest looks like. */
const height_max = 3000
const wait_max_ms = 20_000

/** Users of each role. They see different screens, or the same ones with less on them. */
const people = {
  'signed-out': null,
  customer: 'nora@harbourvale.example',
  viewer: 'priya@harbourvale.example',
  group: 'helen@harbourvale.example',
  property: 'manager.lantern@harbourvale.example',
  'front-desk': 'desk.lantern@harbourvale.example',
} as const

const { values, positionals: words } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
const { data_dir } = readConfig(process.env)
const folder = path.resolve(values.to ?? path.join(data_dir, 'screens'))
const demo = readDemo(data_dir)
if (!demo) throw new Error(`There is no demo in ${data_dir}`)

const settings = { DATA_DIR: data_dir, NODE_ENV: 'production', REQUESTS_PER_MINUTE: '100000' }
const { url, child } = await startFoyer(settings, compiled)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    child.kill('SIGTERM')
    process.exit(1)
  })
const browser = await chromium.launch({
  executablePath: process.env['CHROME'],
  env: { ...process.env, LD_LIBRARY_PATH: process.env['CHROME_LIBRARIES'] },
  args: ['--no-sandbox', '--disable-gpu'],
})
const pictures: Picture[] = []
try {
  fs.mkdirSync(folder, { recursive: true })
  for (const [who, email] of Object.entries(people)) {
    const login = email === null ? null : await loginOf(url, demo, email)
    const shots = login ? shotsOf(login.context, await idsOf(url, login), who === login.context) : signedOutShots
    const wanted = shots.filter(
      ({ name }) => words.length === 0 || words.some((word) => `${who}/${name}`.includes(word)),
    )
    if (wanted.length > 0) await photographAll(who, wanted, login?.token)
    console.log(`${who}: ${pictures.length} pictures so far`)
  }
  const wrong = pictures.filter((picture) => picture.wrong.length > 0)
  for (const picture of wrong) console.log(`${picture.file}: ${picture.wrong.join(', ')}`)
  console.log(`\n${pictures.length} pictures, ${wrong.length} with something wrong: ${path.join(folder, 'index.html')}`)
} finally {
  await browser.close()
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Everything that one user sees, in a separate browser context. */
async function photographAll(who: string, shots: Shot[], token = '') {
  fs.rmSync(path.join(folder, who), { recursive: true, force: true })
  fs.mkdirSync(path.join(folder, who), { recursive: true })
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
  await context.addInitScript((kept) => sessionStorage.setItem('foyer-session', kept), token)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  for (const shot of shots) {
    await page.goto(shot.address)
    await atRest(page)
    const tabs = shot.open ? [] : await page.getByRole('tab').allTextContents()
    for (const [index, tab] of (tabs.length > 0 ? tabs : ['']).entries()) {
      if (index > 0) await page.getByRole('tab').nth(index).click()
      // So that nothing is highlighted by the pointer.
      await page.mouse.move(0, 0)
      await photograph(page, `${who}/${[shot.name, slugOf(tab)].filter(Boolean).join('.')}`, shot, errors)
    }
    fs.writeFileSync(path.join(folder, 'index.html'), contactSheet(pictures))
  }
  await context.close()
}

/** One state of a screen at each size, in light and in dark. */
async function photograph(page: Page, name: string, { address, open, over }: Shot, errors: string[]) {
  for (const size of sizes) {
    await page.setViewportSize(size)
    if (open) {
      await page.goto(address)
      await atRest(page)
      if (!(await open(page))) continue
    }
    await atRest(page)
    // In a window as high as the page, sticky elements cover nothing in the middle.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    if (!over && height > size.height) {
      await page.setViewportSize({ ...size, height: Math.min(height, height_max) })
      await atRest(page)
    }
    const wrong = [...(await sidewaysOf(page)), ...errors.splice(0)]
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await keep(page, { name, file: `${name}.${size.width}-${scheme}.png`, wrong })
    }
    if (mirrored.includes(size.width)) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.evaluate(() => (document.documentElement.dir = 'rtl'))
      await keep(page, { name, file: `${name}.${size.width}-right-to-left.png`, wrong: await sidewaysOf(page) })
      await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    }
  }
}

async function keep(page: Page, picture: Picture) {
  await page.screenshot({ path: path.join(folder, picture.file), animations: 'disabled' })
  pictures.push(picture)
}

async function sidewaysOf(page: Page): Promise<string[]> {
  const by = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return by > 0 ? [`scrolls ${by} px sideways`] : []
}

/** Waits until the screen is drawn, with its pictures and fonts; after a timeout the picture is taken anyway. */
async function atRest(page: Page) {
  const drawn = page.waitForFunction(
    () =>
      document.querySelector('h1') &&
      !document.querySelector('[class*=skeleton]') &&
      document.fonts.status === 'loaded' &&
      [...document.images].every((image) => image.complete),
    null,
    { timeout: wait_max_ms },
  )
  await drawn.catch(() => undefined)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}
