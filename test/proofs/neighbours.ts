// Neighbours: customers of one Foyer who send requests over the network, each from its own address, and how long one of them waits.
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { aProperty, password } from '#test/foyer.ts'
import type { Foyer } from '#test/process.ts'

export interface Answered<T = unknown> {
  status: number
  wait_s: number
  data: T
}
export type Payload = object | { type: string; bytes: Buffer }
const isForm = (payload: Payload): payload is { type: string; bytes: Buffer } => 'bytes' in payload

/** Needs a Foyer with TRUSTED_PROXIES=loopback, so that it accepts the addresses that they claim. */
export function neighbours({ url }: Foyer) {
  async function post<T>(call: string, payload: Payload, headers: Record<string, string> = {}): Promise<Answered<T>> {
    const response = await fetch(`${url}/api/v1${call}`, {
      method: 'POST',
      headers: { 'content-type': isForm(payload) ? payload.type : 'application/json', ...headers },
      body: isForm(payload) ? new Uint8Array(payload.bytes) : JSON.stringify(payload),
    })
    const body = (await response.json()) as { data: T }
    return { status: response.status, wait_s: Number(response.headers.get('retry-after') ?? 0), data: body.data }
  }
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const logIn = (email: string, given: string, ip: string) => post('/auth/login', { email, password: given }, from(ip))

  /** A new customer whose requests come from one address. */
  async function aCustomer(name: string, ip: string) {
    const email = `${name}@example.com`
    const { data } = await post<{ access_token: string }>(
      '/auth/signup',
      { company_name: name, name, email, password },
      from(ip),
    )
    const headers = { ...from(ip), authorization: `Bearer ${data.access_token}`, 'app-context': 'customer' }
    const ask = <T>(call: string, payload: Payload = {}) => post<T>(call, payload, headers)
    const made = async (call: string, payload: object) => (await ask<{ id: number }>(call, payload)).data.id
    return { email, ip, headers, ask, made }
  }
  /** Opens the link in the sign-up mail of a node with this DATA_DIR; then the customer's mails are sent. */
  async function confirmAddress(email: string, data_dir: string) {
    const outbox = path.join(data_dir, 'outbox')
    const token = () => {
      const mails = fs.existsSync(outbox)
        ? fs.readdirSync(outbox).map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
        : []
      const mail = mails.find((text) => text.startsWith(`To: ${email}\n`)) ?? ''
      return /confirm-address\?token=([\w-]+)/.exec(mail)?.[1]
    }
    await expect.poll(token, { timeout: 60_000 }).toBeDefined()
    expect((await post('/auth/confirm-address', { token: token(), password })).status).toBe(200)
  }
  return { post, from, logIn, aCustomer, confirmAddress }
}
export type Neighbours = ReturnType<typeof neighbours>
type Neighbour = Awaited<ReturnType<Neighbours['aCustomer']>>

const p95 = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

/** Runs rounds of a receptionist's work, in which each request must be served. Returns the p95 of a request in ms. */
export async function receptionist({ url }: Foyer, { ask, made }: Neighbour, rounds: number) {
  const own = await made('/properties-create', aProperty())
  let served = 0
  const took = async (expected: number, request: Promise<{ status: number }>) => {
    const began = performance.now()
    expect((await request).status).toBe(expected)
    return performance.now() - began
  }
  const round = () => {
    served++
    return Promise.all([
      took(200, ask('/properties')),
      took(200, ask(`/properties/${own}`)),
      took(201, ask('/accounts-create', { name: `Guest ${served}`, property_id: own })),
      took(200, fetch(`${url}/readyz`)),
    ])
  }
  // Warm-up.
  await round()
  return async (): Promise<number> => {
    const times: number[] = []
    for (let done = 0; done < rounds; done++) times.push(...(await round()))
    return p95(times)
  }
}
