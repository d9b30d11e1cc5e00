// People: the users of the journeys, made through the API, and how they are signed in to a browser.

import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'
import { connect } from '#server/db/logins.ts'

export const password = 'quiet harbour lantern 42'
export const operator = { email: 'ana@harbour.example', name: 'Ana Silva', company_name: 'Harbour Hospitality' }

export interface Foyer {
  url: string
  dataDir: string
}
interface Answer {
  status: number
  /** Why it is refused. */
  message?: string | undefined
  data: Record<string, unknown>
}

/** One call of the API. */
export async function ask(
  { url }: Foyer,
  call: string,
  body: object,
  token = '',
  context = 'customer',
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'App-Context': context, Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { data = {}, message } = (await response.json()) as { data?: Record<string, unknown>; message?: string }
  return { status: response.status, message, data }
}

/**
 * A token of an operator, who is signed up first if necessary. Journeys that count rows use a separate operator (with
 * `SIGNUP: 'open'`), because the journeys of a worker share one Foyer.
 */
export async function operatorToken(foyer: Foyer, person = operator): Promise<string> {
  const login = await ask(foyer, '/auth/login', { email: person.email, password })
  if (login.status === 200) return tokenOf('/auth/login', login)
  const signedUp = await signUp(foyer, { ...person, password })
  const user = signedUp.data['user'] as { mails_wait?: boolean } | undefined
  if (user?.mails_wait) await confirmAddress(foyer, person.email)
  return tokenOf('/auth/signup', signedUp)
}

let signUps = 0
/** Signs up from a new network each time: a worker's journeys make more than the twenty sign-ups an hour allowed for one. */
async function signUp({ url }: Foyer, body: object): Promise<Answer> {
  const localAddress = `127.8.${++signUps}.${(process.pid % 250) + 1}`
  const headers = { 'Content-Type': 'application/json' }
  const request = http.request(`${url}/api/v1/auth/signup`, { method: 'POST', headers, localAddress })
  request.end(JSON.stringify(body))
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const { data = {} } = (await json(response)) as Partial<Answer>
  return { status: response.statusCode ?? 0, data }
}

/** Records that a guest has been online at a property, so that the customer's dashboard shows figures. */
export async function onceOnline(foyer: Foyer & { database(): string }, property_id: number): Promise<void> {
  const admin = await connect(foyer.database())
  try {
    await admin.query(
      `insert into session_days (customer_id, property_id, day, sessions)
       select customer_id, id, current_date - 40, 1 from properties where id = $1`,
      [property_id],
    )
  } finally {
    await admin.end()
  }
}

/** Confirms the address of a user who signed up, by the link in the mail. */
export async function confirmAddress(foyer: Foyer, email: string) {
  const token = new URL(await linkTo(foyer, email)).searchParams.get('token')
  const { status } = await ask(foyer, '/auth/confirm-address', { token, password })
  if (status !== 200) throw new Error(`/auth/confirm-address answered ${status}`)
}

function tokenOf(call: string, { status, data }: Answer): string {
  if (typeof data['access_token'] !== 'string') throw new Error(`${call} answered ${status}, without a token`)
  return data['access_token']
}

/** The link of the newest mail to an address. */
export async function linkTo(foyer: Foyer, email: string): Promise<string> {
  const outbox = path.join(foyer.dataDir, 'outbox')
  const find = () => {
    const mails = fs.existsSync(outbox) ? fs.readdirSync(outbox).toSorted().toReversed() : []
    const texts = mails.map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
    return /^https?:\S+$/m.exec(texts.find((text) => text.startsWith(`To: ${email}\n`)) ?? '')?.[0]
  }
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy()
  return find() ?? ''
}

interface Person {
  email: string
  name: string
  user_type_id: number
  owner_type?: string
  owner_id?: unknown
}

/** Invites a person and accepts for them; returns their token. */
export async function join(foyer: Foyer, person: Person): Promise<string> {
  await ask(foyer, '/users-invite', person, await operatorToken(foyer))
  const token = new URL(await linkTo(foyer, person.email)).searchParams.get('token')
  return tokenOf('/auth/accept-invitation', await ask(foyer, '/auth/accept-invitation', { token, password }, ''))
}

/** Stores a token as if the user had signed in in this tab. Does not open the app yet. */
export async function enter(page: Page, token: string) {
  await page.goto('/healthz')
  await page.evaluate((value) => sessionStorage.setItem('foyer-session', value), token)
}
