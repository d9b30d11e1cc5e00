// Gateway kinds: the simulations that the folders of server/gateways have.
import fs from 'node:fs'
import path from 'node:path'
import type { AccessRequest, Brought, CalledController, SentGuest, Simulation } from '#server/gateways/simulated.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'

const folder = path.join(import.meta.dirname, '../../server/gateways')

interface Simulated {
  simulation: Simulation
  /** Of boxes of the make that are set up in another way. */
  others?: readonly Simulation[]
  called?: CalledController
}
async function simulationIn(file: string): Promise<Simulated> {
  return (await import(/* @vite-ignore */ file)) as Simulated
}

const simulated = await Promise.all(
  fs
    .readdirSync(folder)
    .map((kind) => path.join(folder, kind, 'simulation.ts'))
    .filter((file) => fs.existsSync(file))
    .map(simulationIn),
)

const simulations = simulated.map(({ simulation }) => simulation)

/** Of all ways in which boxes of the make are set up. */
export const simulationsOf = (gateway_type_id: number): Simulation[] =>
  simulated.flatMap(({ simulation, others = [] }) =>
    simulation.gateway_type_id === gateway_type_id ? [simulation, ...others] : [],
  )

/** The controller of boxes that let guests in when they are called. */
export const calledOf = (gateway_type_id: number): CalledController | undefined =>
  simulated.find(({ simulation }) => simulation.gateway_type_id === gateway_type_id)?.called

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
