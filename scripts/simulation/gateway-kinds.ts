// Gateway kinds: the simulations that the folders of server/gateways have.
import fs from 'node:fs'
import path from 'node:path'
import type { AccessRequest, Brought, SentGuest, Simulation } from '#server/gateways/simulated.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'

const folder = path.join(import.meta.dirname, '../../server/gateways')

async function simulationIn(file: string): Promise<Simulation> {
  const { simulation } = (await import(/* @vite-ignore */ file)) as { simulation: Simulation }
  return simulation
}

const simulations = await Promise.all(
  fs
    .readdirSync(folder)
    .map((kind) => path.join(folder, kind, 'simulation.ts'))
    .filter((file) => fs.existsSync(file))
    .map(simulationIn),
)

/** @throws {Error} for a type that is not simulated */
export function simulationOf(gateway_type_id: number): Simulation {
  const found = simulations.find((simulation) => simulation.gateway_type_id === gateway_type_id)
  if (!found) throw new Error(`gateways of type ${gateway_type_id} are not simulated`)
  return found
}

/** Those that ask RADIUS, and report what their guests use. */
export const isSimulated = (gateway_type_id: number) =>
  simulations.some((simulation) => simulation.gateway_type_id === gateway_type_id && simulation.has_radius)

/** The redirect of a gateway that asks RADIUS. */
export function redirectOf(sent: SentGuest & { gateway: SimulatedSite['gateway'] }) {
  const { query, ask } = simulationOf(sent.gateway.gateway_type_id).redirect(sent)
  return {
    query,
    ask(brought: Brought, to: URL): AccessRequest {
      const asked = ask(brought, to)
      if (!asked) throw new Error('this kind of gateway does not ask RADIUS')
      return asked
    },
  }
}
