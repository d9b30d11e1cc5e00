// `npm run proof:opennds`: guests get online through a real openNDS, as root on a Linux with Debian's package. The observations are
// printed, and kept in docs/proofs.md.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { authMethods } from '#contract/portals.ts'
import { textsOf } from '#portal/languages.ts'
import { freePort } from '#server/start/free-port.ts'
import { startFoyer, type Foyer } from '#test/process.ts'
import { closeNetwork, gateway, internet, missingHere, openNetwork, startOpenNds } from './opennds/network.ts'
import { ask, download, follow, submit, trust, type Page } from './opennds/phone.ts'
import { fetchingSite, makeSite, type Seen } from './opennds/site.ts'
import { openTlsProxy } from './opennds/tls-proxy.ts'
import { writeObservations, observed } from './observations.ts'

const missing = missingHere()
if (missing) {
  console.error(missing)
  process.exit(1)
}

const web = `http://${internet.web}/`
const words = 'A page of the web'
const own = `http://${gateway.address}:2050`
const open_nds_start_max_ms = 60_000

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-opennds-'))
const site_of_web = http.createServer(({ url = '/' }, reply) => {
  const [, bytes] = /^\/(\d+)$/.exec(url) ?? []
  reply.end(bytes === undefined ? words : Buffer.alloc(Number(bytes)))
})
let foyer: Foyer | undefined
let proxy: Awaited<ReturnType<typeof openTlsProxy>> | undefined
let openNds: ReturnType<typeof startOpenNds> | undefined

const heading = ({ html }: Page) => html.querySelector('h2')?.text
const short = (address: string) => address.replace(/([?&](fas|tok|online)=[^&]{6})[^&]+/g, '$1…')
const isThrough = ({ html }: Page) => html.text === words

/** The address that a page redirects to, which must begin with `start`. */
function leadsTo({ leads_to }: Page, start: string): string {
  if (!leads_to?.startsWith(start)) throw new Error(`sent to ${leads_to} and not to ${start}`)
  return leads_to
}

/** While nobody has signed in, openNDS answers instead of the web site. */
async function sentToPortal(portal_url: string): Promise<string> {
  const answer = await ask(web)
  assert.equal(answer.status, 307)
  return leadsTo(answer, `${portal_url}?fas=`)
}

async function prove() {
  openNetwork()
  await once(site_of_web.listen(80, internet.web), 'listening')
  const port = await freePort(3)
  const portal = { PORTAL_PORT: String(port + 1), PORTAL_URL: `http://${internet.foyer}:${port + 1}` }
  const url = `http://${internet.foyer}:${port}`
  const limits = { SIGNUP: 'open', DISK_RESERVE_MB: '0' }
  const place = { HOST: internet.foyer, PORT: String(port), PUBLIC_URL: url }
  foyer = await startFoyer({ DATA_DIR: scratch, ...limits, ...place, ...portal })
  const made = await makeSite(url)
  const { portal_url, lines, voucher } = made
  openNds = startOpenNds(lines)
  await isUp(openNds)

  const redirect = await sentToPortal(portal_url)
  observed(`Before: whoever asks for ${web} is sent to ${short(redirect)}`)
  const fas = Buffer.from(new URL(redirect).searchParams.get('fas') ?? '', 'base64').toString()
  observed(`The redirect says: \`${fas}\``)

  const back = encodeURIComponent(portal_url)
  await ask(`${own}/opennds_auth/?tok=${'0'.repeat(64)}&redir=${back}`)
  await sentToPortal(portal_url)
  observed('A wrong token: lets nobody in')

  const holders: { named: string; typed: Record<string, string> }[] = [
    { named: 'A voucher', typed: { method: String(authMethods.voucher), voucher_code: voucher } },
    { named: 'Free access', typed: { method: String(authMethods.free) } },
  ]
  for (const { named, typed } of holders) {
    const page = await follow(await sentToPortal(portal_url))
    const handed = leadsTo(await submit(page, typed), `${own}/opennds_auth/?tok=`)
    observed(`${named}: the form hands over to ${short(handed)}`)
    const status = await follow(handed)
    assert.equal(heading(status), textsOf.en.online_title)
    observed(`${named}: openNDS sends the guest back to ${short(status.address)}, which says "${heading(status)}"`)
    assert.ok(isThrough(await ask(web)))
    observed(`${named}: ${web} answers through the gateway`)

    const leaving = leadsTo(await submit(status, { sign_out: '1' }), `${own}/opennds_deny/`)
    observed(
      `${named}: signing out goes to ${leaving}, which shows "${(await follow(leaving)).html.querySelector('title')?.structuredText}"`,
    )
    const signed_out = await follow(status.address)
    assert.equal(heading(signed_out), textsOf.en.signed_out_title)
    await sentToPortal(portal_url)
    observed(`${named}: after it our page says "${heading(signed_out)}", and ${web} is out of reach again`)
    const again = signed_out.html.querySelector('a.button')?.getAttribute('href') ?? ''
    const { redirects } = await follow(again)
    assert.ok(redirects.at(-1)?.startsWith(`${portal_url}?fas=`), redirects.join(' → '))
    observed(`${named}: its button to sign in again leads ${redirects.map(short).join(' → ')}`)
    await ask(handed)
    await sentToPortal(portal_url)
    observed(`${named}: its token is worth nothing a second time`)
  }

  // With a network of its own: the box leaves its firewall behind.
  openNetwork()
  await stopFoyer()
  proxy = await openTlsProxy(scratch, { address: internet.foyer, port: port + 2, to: port + 1 })
  const behind = { PORTAL_PORT: portal.PORTAL_PORT, PORTAL_URL: `https://${internet.foyer}:${port + 2}` }
  const trusting = { ...behind, TRUSTED_PROXIES: internet.foyer }
  foyer = await startFoyer({ DATA_DIR: scratch, ...limits, ...place, ...trusting })
  trust(proxy.authority)
  const fetching = await fetchingSite(url, made)
  openNds = startOpenNds(fetching.lines, proxy.authority)
  await isUp(openNds)
  // Its first word is that it has nobody, which ends what waits.
  const { agents } = proxy
  const polls = () => [...agents].filter(([agent]) => agent.includes('authmon'))
  await until(() => Promise.resolve(polls().some(([, times]) => times > 1)), 120, 'it polls')
  await proveFetching(fetching)
  await proveRenewal(fetching)
  for (const [agent, times] of polls()) observed(`Level 3: ${times} × ${agent}`)
}

const two_minutes_s = 120
/** How often the box polls, and how often it looks whose time or volume is used up. */
const poll_s = 10
const look_s = 15

/** At level 3: encrypted redirects, and guests whom the box fetches; what was granted ends there by itself. */
async function proveFetching({ portal_url, vouchers, newest }: Awaited<ReturnType<typeof fetchingSite>>) {
  const uses = [
    { named: 'A voucher of two minutes', bytes: 2_000_000 },
    { named: 'A voucher of 5 MB', bytes: 7_000_000 },
  ]
  for (const [n, { named, bytes }] of uses.entries()) {
    const redirect = await sentToPortal(portal_url)
    if (n === 0) {
      const { searchParams } = new URL(redirect)
      observed(
        `Level 3: sent to ${short(redirect)}, encrypted with an iv of ${searchParams.get('iv')?.length} characters`,
      )
    }
    const typed = { method: String(authMethods.voucher), voucher_code: vouchers[n] ?? '' }
    const began = Date.now()
    const seconds = () => (Date.now() - began) / 1000
    const status = leadsTo(await submit(await follow(redirect), typed), `${portal_url}?online=`)
    const waiting = heading(await follow(status))
    await until(async () => isThrough(await ask(web)), 9 * poll_s, 'it fetches the guest')
    const in_s = seconds()
    observed(`${named}: our page says "${waiting}"; the box has fetched the guest after ${Math.round(in_s)} s`)
    await until(async () => heading(await follow(status)) === textsOf.en.online_title, 9 * poll_s, 'our page says so')
    const came = await download(`${web}${bytes}`)
    await until(async () => !isThrough(await ask(web)), two_minutes_s + 4 * look_s, 'it ends by itself')
    const seen = await ended(newest)
    observed(
      `${named}: ${came} bytes came; it ended by itself ${Math.round(seconds() - in_s)} s after it began. The desk has ` +
        `${seen.seconds} s, ${seen.bytes_down} bytes down and ${seen.bytes_up} up: "${seen.termination_reason}"`,
    )
    if (n === 0) {
      assert.ok(Math.abs(seen.seconds - two_minutes_s) <= 2 * look_s, `${seen.seconds} s`)
      assert.ok(seen.bytes_down >= bytes, `${seen.bytes_down} bytes`)
    } else {
      assert.ok(seen.seconds < two_minutes_s, `${seen.seconds} s`)
      assert.ok(seen.bytes_down >= 5_000_000, `${seen.bytes_down} bytes`)
    }
  }
}

/** While it lets go of a guest, it answers that they are to sign in (511), and sends them nowhere. */
async function sentOnce(portal_url: string): Promise<string> {
  let redirect = ''
  await until(
    async () => (redirect = await sentToPortal(portal_url)) !== '',
    4 * look_s,
    'it sends the guest to the portal',
  )
  return redirect
}

/** A voucher of sixteen minutes is granted as fifteen and one, without a second form. */
async function proveRenewal({ portal_url, longer, newest }: Awaited<ReturnType<typeof fetchingSite>>) {
  const named = 'A voucher of sixteen minutes'
  const typed = { method: String(authMethods.voucher), voucher_code: longer }
  leadsTo(await submit(await follow(await sentToPortal(portal_url)), typed), `${portal_url}?online=`)
  await until(async () => isThrough(await ask(web)), 9 * poll_s, 'it fetches the guest')
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  await download(`${web}1000000`)
  await until(async () => !isThrough(await ask(web)), 15 * 60 + 4 * look_s, 'the first length ends')
  const cut_s = seconds()
  const page = await follow(await sentOnce(portal_url))
  assert.ok(page.address.startsWith(`${portal_url}?online=`), page.address)
  await until(async () => isThrough(await ask(web)), 9 * poll_s, 'it is let in again')
  observed(
    `${named}: out after ${cut_s} s; its next redirect shows "${heading(page)}" and no form, and it is through again after ` +
      `${seconds() - cut_s} s`,
  )
  await download(`${web}1000000`)
  await until(async () => !isThrough(await ask(web)), two_minutes_s + 4 * look_s, 'the last length ends')
  const seen = await ended(newest)
  observed(
    `${named}: one session, of ${seen.seconds} s and ${seen.bytes_down} bytes down: "${seen.termination_reason}"; then the form is shown`,
  )
  assert.ok(cut_s <= 15 * 60 + 2 * look_s, `${cut_s} s`)
  assert.ok(seen.seconds > 15 * 60 && seen.bytes_down >= 2_000_000, JSON.stringify(seen))
  assert.ok((await follow(await sentOnce(portal_url))).html.querySelector('form input[name=method]'))
}

async function until(holds: () => Promise<boolean>, patience_s: number, what: string) {
  for (const began = Date.now(); Date.now() - began < patience_s * 1000; await sleep(1000))
    if (await holds().catch(() => false)) return
  throw new Error(`not in ${patience_s} s: ${what}`)
}

/** What the desk has of the newest session once it is over. */
async function ended(newest: () => Promise<Seen | undefined>): Promise<Seen> {
  let seen: Seen | undefined
  await until(async () => (seen = await newest())?.online === false, 4 * look_s, 'the desk hears of the end')
  if (!seen) throw new Error('the desk has no session')
  return seen
}

async function stopFoyer() {
  if (!foyer || foyer.child.exitCode !== null || foyer.child.signalCode !== null) return
  const exited = once(foyer.child, 'exit')
  foyer.child.kill('SIGTERM')
  await exited
}

/** Waits until openNDS redirects a guest. */
async function isUp({ output, hasEnded }: ReturnType<typeof startOpenNds>) {
  for (const began = Date.now(); Date.now() - began < open_nds_start_max_ms && !hasEnded();) {
    const { status } = await ask(web).catch(() => ({ status: 0 }))
    if (status === 307 && output().includes('is now running')) return
    await sleep(500)
  }
  throw new Error('openNDS sends nobody to the portal')
}

const stopped = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => reject(new Error(`Stopped by ${signal}`)))
})
let code = 0
try {
  await Promise.race([prove(), stopped])
  writeObservations('Through a real openNDS', 'npm run proof:opennds')
} catch (error) {
  code = 1
  console.error(error)
  if (proxy) console.error(proxy.agents)
  if (openNds) console.error(`openNDS said:\n${openNds.output()}`)
}
site_of_web.close()
proxy?.close()
await stopFoyer()
closeNetwork()
fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
process.exit(code)
