// Stations: what each make of kinds.ts has on the way of a guest, from a recorded redirect to a hostile suite, printed; and what it lacks.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { calledOf, simulationsOf } from '#scripts/simulation/gateway-kinds.ts'
import type { GatewayKind } from './kind.ts'
import { kinds } from './kinds.ts'

const folder = import.meta.dirname
const recorded = JSON.parse(fs.readFileSync(path.join(folder, 'recorded-redirects.json'), 'utf8')) as {
  id: number
  not_served?: true
}[]
/** The folder of a kind, by the line that imports it. */
const list = fs.readFileSync(path.join(folder, 'kinds.ts'), 'utf8')
const folders = fs
  .readdirSync(folder)
  .filter((name) => list.includes(`'./${name}/kind.ts'`))
  .map((name) => [name, fs.readFileSync(path.join(folder, name, 'kind.ts'), 'utf8')] as const)
const definitionOf = (name: string) => {
  const file = path.join(folder, name, 'definition.ts')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}
function folderOf({ definition: { id } }: GatewayKind): string {
  const its = new RegExp(String.raw`\bid: ${id},`)
  const found = folders.find(([name, text]) => its.test(text) || its.test(definitionOf(name)))
  if (!found) throw new Error(`no folder has the id ${id}`)
  return found[0]
}
const testsOf = (kind: GatewayKind) =>
  fs.readdirSync(path.join(folder, folderOf(kind))).filter((file) => file.endsWith('.test.ts'))

function stationsOf(kind: GatewayKind) {
  const { definition, portal, controller, polls, asks, radius } = kind
  const { id, honours, honours_when = [] } = definition
  const ways = [
    ...(simulationsOf(id).some(({ is_called }) => !is_called) ? ['brings'] : []),
    ...(controller?.isCalled({ controller_url: 'https://controller.example' }) ? ['called'] : []),
    ...(polls ? ['fetches'] : []),
    ...(asks ? ['asks'] : []),
    ...(radius?.sendsOn ? ['sends on'] : []),
  ]
  const hostile = ways.filter((way) =>
    way === 'brings'
      ? true
      : way === 'called'
        ? calledOf(id) !== undefined
        : testsOf(kind).includes(way === 'sends on' ? 'controller.test.ts' : 'report.test.ts'),
  )
  return {
    recorded: recorded.some((one) => one.id === id && !one.not_served),
    served: portal !== null,
    simulated: simulationsOf(id).length,
    ways,
    hostile,
    kept: [honours, ...honours_when.map((one) => one.honours)].map((kept) =>
      Object.entries(kept)
        .filter(([, value]) => value !== 'no')
        .map(([what, value]) => (value === 'yes' ? what : `${what} (next)`))
        .join(' '),
    ),
  }
}
type Stations = ReturnType<typeof stationsOf>

const lacking = ({ recorded: isRecorded, served, simulated, ways, hostile }: Stations) =>
  [
    !served && 'served',
    !isRecorded && 'recorded',
    simulated === 0 && 'simulated',
    ways.length === 0 && 'way',
    hostile.length < ways.length && 'hostile',
  ].filter((word) => word !== false)

test('each make has all stations, but those that are known to lack one', () => {
  const all = kinds.map((kind) => [kind.definition.name, stationsOf(kind)] as const)
  console.table(
    Object.fromEntries(
      all.map(([name, stations]) => [
        name,
        {
          recorded: stations.recorded,
          ways: stations.ways.join(', '),
          simulations: stations.simulated,
          hostile: stations.hostile.join(', '),
          'keeps to': stations.kept.join(' | '),
        },
      ]),
    ),
  )
  expect(
    Object.fromEntries(all.flatMap(([name, one]) => (lacking(one).length > 0 ? [[name, lacking(one)]] : []))),
  ).toEqual({
    // Its redirect names no device (decision 166).
    Alta: ['served', 'recorded', 'simulated', 'way'],
  })
})
