// Proxies: the examples of deploy/caddy and deploy/nginx, run before the real program: both addresses by TLS, uploads larger than a
// megabyte, and the address of whoever asks, not the one that they claim.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import https from 'node:https'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateEnds } from '#server/apps/vital-signs.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, secretKey, type TestDatabase } from '#test/database.ts'
import { beginFoyer, killAll, type Starting } from '#test/process.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

const deploy = path.join(import.meta.dirname, '../deploy')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-proxies-'))
const isHere = (program: string) => spawnSync(program, [program === 'caddy' ? 'version' : '-v']).status === 0

interface Ports {
  http: number
  app: number
  guests: number
  upstream: number
}
interface Proxy {
  begin(ports: Ports): Promise<ChildProcess>
}

const proxies: Record<'caddy' | 'nginx', Proxy> = {
  caddy: {
    async begin(ports) {
      const file = path.join(folder, 'Caddyfile')
      // Caddy signs names that end in localhost itself.
      const global = `{\n\tadmin off\n\thttp_port ${ports.http}\n\tskip_install_trust\n}\n`
      fs.writeFileSync(file, global + fs.readFileSync(path.join(deploy, 'caddy/Caddyfile'), 'utf8'))
      return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
        env: {
          ...process.env,
          HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
          APP_ADDRESS: `https://wifi.localhost:${ports.app}`,
          GUESTS_ADDRESS: `https://guests.localhost:${ports.guests}`,
          APP_UPSTREAM: `127.0.0.1:${ports.upstream}`,
          GUESTS_UPSTREAM: `127.0.0.1:${ports.upstream + 1}`,
        },
        stdio: 'ignore',
      })
    },
  },
  nginx: {
    async begin(ports) {
      const pems = await generate([{ name: 'commonName', value: 'wifi.localhost' }])
      fs.writeFileSync(path.join(folder, 'fullchain.pem'), pems.cert)
      fs.writeFileSync(path.join(folder, 'privkey.pem'), pems.private)
      const example = fs
        .readFileSync(path.join(deploy, 'nginx/foyer.conf'), 'utf8')
        .replaceAll(/\/etc\/letsencrypt\/live\/[\w.]+/g, folder)
        .replaceAll(/^ *listen \[::\].*\n/gm, '')
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.upstream}`)
        .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.upstream + 1}`)
        .replaceAll('wifi.example.com', 'wifi.localhost')
        .replaceAll('guests.example.net', 'guests.localhost')
        .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
        .replace('listen 443', `listen 127.0.0.1:${ports.app}`)
        .replace('listen 443', `listen 127.0.0.1:${ports.guests}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      // Its workers have to read the folder of whoever runs the test.
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const whole = `${user} daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
        http { access_log off; ${temporary.join(' ')}\n${example}\n}`
      fs.writeFileSync(path.join(folder, 'nginx.conf'), whole)
      return spawn('nginx', ['-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`], { stdio: 'ignore' })
    },
  },
}

/** From an address of this machine, over TLS unless `plain`. */
function ask(
  port: number,
  { host, method = 'GET', url = '/', headers = {}, body = Buffer.alloc(0), plain = false }: Asked,
) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const given = {
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { host, ...headers },
      localAddress: '127.0.5.7',
    }
    const request = plain
      ? http.request(given)
      : https.request({ ...given, servername: host.split(':')[0], rejectUnauthorized: false })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.end(body)
  })
}
interface Asked {
  host: string
  method?: string
  url?: string
  headers?: Record<string, string>
  body?: Buffer
  plain?: boolean
}

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  killAll()
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

describe.each(['caddy', 'nginx'] as const)('%s', (name) => {
  test.runIf(isHere(name))(
    `serves both addresses${isHere(name) ? '' : ` (not run: ${name} is not here)`}`,
    async () => {
      const first = await freePort(5)
      const ports = { http: first, app: first + 1, guests: first + 2, upstream: first + 3 }
      const foyer: Starting = beginFoyer({
        DATABASE_URL: database.adminUrl,
        SECRET_KEY: secretKey,
        PORT: String(ports.upstream),
        PUBLIC_URL: `https://wifi.localhost:${ports.app}`,
        PORTAL_URL: `https://guests.localhost:${ports.guests}`,
        TRUSTED_PROXIES: 'loopback',
        LOG_FORMAT: 'json',
        ROLES: 'api,guest',
      })
      foyer.ready.catch(() => {})
      const proxy = await proxies[name].begin(ports)
      try {
        const app = `wifi.localhost:${ports.app}`
        const ready = () =>
          ask(ports.app, { host: app, url: '/readyz' }).then(
            ({ status }) => status,
            () => 0,
          )
        await expect.poll(ready, { timeout: 60_000, interval: 200 }).toBe(200)

        // What was not found is told by Foyer, as JSON.
        const claimed = { 'x-forwarded-for': '203.0.113.9' }
        const absent = await ask(ports.app, { host: app, url: '/api/v1/nothing', headers: claimed })
        expect([absent.status, JSON.parse(absent.text)]).toEqual([404, { message: 'Not found.' }])
        await expect.poll(() => foyer.output()).toContain(`"request":"${String(absent.headers['x-request-id'])}"`)
        const line = foyer
          .output()
          .split('\n')
          .find((one) => one.includes(`"request":"${String(absent.headers['x-request-id'])}"`))
        expect(JSON.parse(line ?? '')).toMatchObject({ network: '127.0.5.0/24' })

        const upload = await ask(ports.app, {
          host: app,
          method: 'POST',
          url: '/api/v1/import/accounts',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          body: Buffer.alloc(5_000_000, 'x'),
        })
        expect([upload.status, upload.text]).toEqual([401, JSON.stringify({ message: 'Unauthenticated.' })])

        const guests = await ask(ports.guests, { host: `guests.localhost:${ports.guests}`, url: '/p/nobody' })
        expectRefused(guests, nothingHere)
        expect(guests.headers['content-type']).toContain('text/html')
        expect(guests.headers['x-request-id']).toBeTruthy()

        const plain = await ask(ports.http, { host: 'wifi.localhost', url: '/customer/login', plain: true })
        expect([301, 308]).toContain(plain.status)
        expect(plain.headers.location).toMatch(/^https:\/\/wifi\.localhost(:\d+)?\/customer\/login$/)

        // Caddy has none for an address without a name.
        if (name === 'nginx')
          expect(await certificateEnds(`https://127.0.0.1:${ports.app}`)).toBeGreaterThan(Date.now() / 1000)
      } finally {
        const gone = once(proxy, 'exit')
        proxy.kill()
        await Promise.all([gone, foyer.kill()])
      }
    },
  )
})
