// Called sites: a Foyer that serves over the network, and properties of its customers whose guests a simulated UniFi controller lets in.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { openController, simulation, type SimulatedController } from '#server/gateways/unifi/simulation.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase } from '#test/database.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { neighbours, type Neighbours } from '#test/proofs/neighbours.ts'
import { bytesOf, formOf } from '#test/uploads.ts'

const unifi = 4
type Customer = Awaited<ReturnType<Neighbours['aCustomer']>>

export async function openCalledSites() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-called-'))
  const opened: SimulatedController[] = []
  const database = await freshDatabase()
  const admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
  const port = await freePort(2)
  const foyer = await startFoyer({
    DATA_DIR: scratch,
    ROLES: 'api,guest,jobs',
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    DISK_RESERVE_MB: '0',
    ALLOWED_HOSTS: '127.0.0.1',
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    PORTAL_URL: `http://127.0.0.1:${port + 1}`,
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
  })
  const { aCustomer } = neighbours(foyer)

  async function site({ ask, made }: Customer, nth: number) {
    const controller = await openController()
    opened.push(controller)
    const look = {
      name: `Page ${nth}`,
      headline: 'Welcome',
      company_name: 'A house',
      portal_layout_id: 1,
      portal_font_id: 1,
    }
    const form = formOf({ ...look, logo: aPicture('logo.png'), auth_method_ids: [authMethods.free] })
    const { data: portal } = await ask<{ id: number; url: string }>('/portals-create', await bytesOf(form))
    const package_id = await made('/packages-create', { name: `Hour ${nth}`, session_time_hrs: 1 })
    const place = { ...aProperty(), portal_id: portal.id, package_id }
    const mac_address = aMacAddress()
    const login = { username: 'foyer', password: 'controller password', settings: { controller_url: controller.url } }
    const property_id = await made('/properties-create', place)
    const box = { property_id, gateway_type_id: unifi, mac_address, ...login }
    const { data: gateway } = await ask<{ id: number; nas_identifier: string; radius_secret: string }>(
      '/gateways-create',
      box,
    )
    const come = async () => {
      const sent = {
        gateway: { ...gateway, gateway_type_id: unifi, mac_address },
        mac_address: aMacAddress(),
        portal_url: portal.url,
      }
      const page = await openPage(portal.url + simulation.redirect(sent).query)
      const answer = await signIn(page, { method: authMethods.free, typed: {} }, true)
      if ('page' in answer) throw new Error(answer.page.html.text)
    }
    /** Of its guests, by state, and the longest wait of one. */
    const states = async () => {
      const { rows } = await admin.query<{ granted: number; waiting: number; longest_s: number }>(
        `select count(*) filter (where state = 'granted')::integer as granted,
          count(*) filter (where state = 'waiting')::integer as waiting,
          coalesce(extract(epoch from max(granted_at - created_at)), 0)::float8 as longest_s
         from controller_grants where gateway_id = $1`,
        [gateway.id],
      )
      return rows[0] ?? { granted: 0, waiting: 0, longest_s: 0 }
    }
    return { controller, come, states }
  }

  return {
    aCustomer,
    site,
    async close() {
      await Promise.all(opened.map((controller) => controller.close()))
      await foyer.kill()
      killAll()
      await admin.end()
      await database.drop()
      fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    },
  }
}
export type CalledSites = Awaited<ReturnType<typeof openCalledSites>>
