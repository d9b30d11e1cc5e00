// The floors: which folder may import which. Each message says where the code belongs instead.

import fs from 'node:fs'
import path from 'node:path'
import { checkRefusals } from './bare-refusals.ts'
import { besides, ofEveryResource } from './screen-files.ts'
import { checkNames } from './unique-names.ts'
import { checkWords } from './words-of-one-place.ts'

type Rule = {
  /** The files that the rule applies to. */
  of: RegExp
  /** `only`: what they may import; `never`: what they must not. Local files by path, packages by name. */
  only?: RegExp
  never?: RegExp
  /** Tests need more imports than what they test, such as Vitest and a raw connection. Two rules apply to them, too. */
  alsoTests?: boolean
  instead: string
}

const test_file = /\.test\.tsx?$/
const component_library = /^(@mantine\/|recharts$)/

/** What of the contract is of no resource. */
const contractsOfEveryResource = [
  'constants',
  'days',
  'endpoint',
  'errors',
  'field-errors',
  'fields',
  'keys',
  'languages',
  'messages',
  'parameters',
  'permissions',
  'ref-target',
  'references',
  'reserved',
  'shapes',
  'status',
]

const rules: Rule[] = [
  {
    of: /^contract\//,
    only: /^(zod$|contract\/)/,
    instead: 'the contract is what both sides agreed on, with zod alone; what needs more belongs to server or web',
  },
  {
    of: /^catalogue\//,
    only: /^(intl-messageformat$|contract\/|catalogue\/)/,
    instead:
      'the catalogue has sentences and nothing that decides which of them is said; that belongs to server or web',
  },
  {
    of: /^portal\//,
    only: /^(react$|react\/jsx-runtime$|react-dom\/server$|zod$|contract\/|portal\/)/,
    instead: "the guest's page is pure; what fetches, decides or knows who is looking belongs to server/guest or web",
  },
  {
    of: /^server\//,
    never: /^web\//,
    alsoTests: true,
    instead: 'what both sides need belongs to contract or portal',
  },
  {
    of: /^web\//,
    never: /^server\//,
    alsoTests: true,
    instead: 'what both sides need belongs to contract; data comes through a call',
  },
  {
    of: /^(server|web|contract|catalogue|portal)\//,
    never: /^(test|scripts|bench)\//,
    instead: 'the product must run without them; what it needs belongs to its own floor',
  },
  {
    of: /^server\/(?!db\/|access\/(tenancy|doors)\.ts$|main\.ts$)/,
    never: /^server\/db\/connect\.ts$/,
    instead:
      'the raw connection knows no customer; ask for a Scope from server/access/tenancy.ts, ' +
      'or write a function of the database as 0020-doors.sql does',
  },
  {
    of: /^server\/(?!db\/|access\/(tenancy|doors)\.ts$)/,
    never: /^pg$/,
    instead: 'the driver stays in server/db; ask for a Scope from server/access/tenancy.ts',
  },
  {
    // A simulation is a server of its own, which calls nobody.
    of: /^server\/(?!outbound\/|gateways\/([^/]+\/simulation|simulated)\.ts$)/,
    never: /^((node:)?(http|https|http2)|undici)$/,
    instead: 'whatever leaves goes through server/outbound/safe-fetch.ts, which looks at where it goes',
  },
  {
    of: /^server\/(?!(?:gateways|property-systems)\/[^/]+\/simulation\.ts$)/,
    never: /^server\/(?:gateways|property-systems)\/([^/]+\/simulation|simulated)\.ts$/,
    instead: 'a simulation stands in for a box in demos and tests; the product must run without it',
  },
  {
    of: /^server\/(?:gateways|property-systems)\/[^/]+\/simulation\.ts$/,
    only: /^(node:|server\/(gateways|property-systems)\/simulated\.ts$)/,
    instead:
      'a simulation shares no code with its kind, or both would be wrong together; write it from the documentation',
  },
  {
    of: /^web\/(?!ui\/)/,
    never: component_library,
    instead: 'only web/ui knows the component library; make or extend a component there',
  },
  {
    of: /^web\/ui\//,
    never: /^(contract\/|catalogue\/|portal\/|web\/(?!ui\/|words\/))/,
    instead: 'web/ui knows how things look, not what they are; what knows records belongs to web/kit',
  },
  {
    of: /^web\/kit\//,
    never: new RegExp(`^contract/(?!(${contractsOfEveryResource.join('|')})\\.ts$)`),
    instead: 'the kit serves every resource alike; what knows one of them belongs to web/resources',
  },
  {
    of: /^web\/kit\//,
    never: /^(catalogue\/|portal\/|web\/(?!kit\/|ui\/|session\/|words\/))/,
    instead: 'the kit is below the screens; hand in what it needs, or move the code to web/resources',
  },
  {
    of: /^web\/resources\//,
    never: /^web\/(routes\.tsx|screens\.tsx|main\.tsx|preload\.ts|list-screens\.ts)$/,
    instead: 'screens do not know where they stand; addresses come from web/paths.ts',
  },
]

/**
 * The layers of a floor, from below: each may import from those before it, and within a layer each path only from itself. Longer paths
 * are matched before shorter ones: `server/apps/api.ts` does not belong to `server/api/`.
 */
export const layers = {
  server: [
    ['server/start/', 'server/errors/', 'server/time/'],
    ['server/watch/', 'server/secrets/', 'server/turns/', 'server/tables/', 'server/radius-codec/'],
    ['server/db/'],
    ['server/access/', 'server/jobs/'],
    ['server/fairness/', 'server/files/', 'server/outbound/', 'server/billing/', 'server/entities/', 'server/due/'],
    ['server/connections/'],
    [
      'server/deliveries/',
      'server/history/',
      'server/vouchers/',
      'server/integrations/',
      'server/stays/',
      'server/events/',
    ],
    [
      'server/api/',
      'server/admission/',
      'server/sessions/',
      'server/imports/',
      'server/reports/',
      'server/gateways/',
      'server/webhooks/',
      'server/services.ts',
    ],
    ['server/property-systems/'],
    ['server/resources/', 'server/guest/', 'server/radius/'],
    ['server/apps/'],
    ['server/node.ts'],
    [
      'server/main.ts',
      'server/radius-process.ts',
      'server/rotate-key.ts',
      'server/reset-second-factor.ts',
      'server/health-check.ts',
      'server/upgrade.ts',
    ],
  ],
  web: [
    ['web/words/'],
    ['web/ui/', 'web/session/'],
    ['web/kit/call/', 'web/kit/navigation/'],
    ['web/kit/display/', 'web/kit/chart/'],
    ['web/kit/dialog/'],
    ['web/kit/form/', 'web/kit/list/', 'web/kit/made/'],
    ['web/kit/detail/', 'web/kit/members/'],
    ['web/paths.ts'],
    ['web/may-open.ts'],
    ['web/limits/'],
    ['web/stays/'],
    ['web/frame/'],
    ['web/resources/'],
    ['web/list-screens.ts'],
    ['web/screens.tsx'],
    ['web/preload.ts', 'web/routes.tsx'],
    ['web/main.tsx'],
  ],
}

/** The place of each path in the layers of its floor, the longest path first. */
const places = Object.entries(layers)
  .flatMap(([floor, all]) => all.flatMap((paths, layer) => paths.map((start) => ({ floor, start, layer }))))
  .toSorted((one, other) => other.start.length - one.start.length)
const placeOf = (file: string) => places.find(({ start }) => file.startsWith(start))

/** The problems of these files (contents by path from the root of the project), one line each. */
export function checkFloors(files: Map<string, string>): string[] {
  const problems: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, source] of files) {
    const imports = importsOf(file, source)
    // A dynamically imported chunk may import what loads it.
    const known = imports.filter(({ dynamic }) => !dynamic).map(({ target }) => target)
    graph.set(file, known)
    problems.push(...checkFile(file, source), ...(test_file.test(file) ? [] : checkWords(file, source)))
    for (const { target, line, dynamic } of imports) {
      const found = checkImport(file, target)
      // A specific rule says better than the layers where the code belongs.
      const layered = found.length > 0 || dynamic || test_file.test(file) ? [] : checkLayer(file, target)
      problems.push(...[...found, ...layered].map((problem) => `${file}:${line}  ${problem}`))
    }
  }
  return [
    ...problems,
    ...checkNames(files),
    ...checkRefusals(files),
    ...checkCycles(graph),
    ...checkCycles(resourcesIn(graph)),
  ]
}

function checkFile(file: string, source: string): string[] {
  const problems: string[] = []
  const name = path.basename(file).replace(/\..*$/, '')
  if (name === 'index') problems.push(`${file}  is a barrel: import from the file that has the thing`)
  if (/^(utils?|misc|helpers?)$/.test(name)) problems.push(`${file}  says nothing: name it after what is in it`)
  if (/^(server|web)\/.*\.tsx?$/.test(file) && !test_file.test(file) && !placeOf(file))
    problems.push(`${file}  has no place: write its folder into a layer of scripts/check-floors.ts`)
  if (takesWhole.test(source) && !mayTakeWhole.test(file) && !test_file.test(file))
    problems.push(`${file}  takes all that a node has: say which of it, as in Pick<Services, 'tenancy' | 'queue'>`)
  if (/^server\/resources\/[^/]+$/.test(file))
    problems.push(`${file}  belongs to the folder of its resource, named as in contract or web/resources`)
  const foreign = foreignIn(file)
  if (foreign) problems.push(`${file}  ${foreign}`)
  if (!/^\/[/*]/.test(source)) problems.push(`${file}:1  must begin with a comment that says what the file is for`)
  return problems
}

/** Applications and programs hand on what a node opens once; what they are made of takes what it needs. */
const mayTakeWhole = /^(?!server\/)|^server\/(?:apps\/|[^/]+$)/
const takesWhole = /(?<!\bPick)(?:[:&|<,(=]|\bextends)\s*Services\b(?!\[)/

/** Folders whose files come from a closed list, so that each is read as the one beside it. */
const closed = [
  {
    files: /^server\/connections\/[^/]+\/(?<name>.+)$/,
    names: ['kind', 'provider'],
    of: 'a kind of connection',
  },
  {
    files: /^server\/gateways\/[^/]+\/(?<name>.+)$/,
    names: ['accept', 'arrival', 'controller', 'definition', 'end', 'kind', 'let-in', 'report', 'simulation'],
    of: 'a gateway kind',
  },
  {
    files: /^server\/integrations\/[^/]+\/(?<name>.+)$/,
    names: ['client', 'definition', 'drafts', 'kind', 'requests'],
    of: 'an integration',
  },
  {
    files: /^server\/reports\/[^/]+\/(?<name>.+)$/,
    names: ['columns', 'kind', 'rows', 'summary', 'table'],
    of: 'a report kind',
  },
  {
    files: /^web\/resources\/reports\/[^/]+\/(?<name>.+)$/,
    names: ['kind', 'screen'],
    of: 'a report kind on the web',
  },
  {
    files: /^server\/property-systems\/[^/]+\/(?<name>.+)$/,
    names: ['definition', 'kind', 'link', 'simulation', 'translation'],
    of: 'a property system',
  },
]

function foreignIn(file: string): string | undefined {
  for (const { files, names, of } of closed) {
    const name = files.exec(file)?.groups?.['name']?.replace(/(\.test)?\.tsx?$/, '')
    if (name === undefined) continue
    if (!names.includes(name))
      return `is no file of ${of}: those are ${names.join(', ')}, and their tests; what several need belongs one folder up`
    return undefined
  }
  const [, resource = '', screen] = /^web\/resources\/([^/]+)\/(.+?)(?:\.test)?\.tsx?$/.exec(file) ?? []
  if (screen !== undefined && !ofEveryResource.includes(screen) && !besides[resource]?.includes(screen))
    return 'is no file of a resource: its name is not in scripts/screen-files.ts; see there what others call such a thing'
  return undefined
}

function checkImport(file: string, target: string): string[] {
  if (target.startsWith('../')) return [`imports ${target}: name another folder from the root, as in #server/config.ts`]
  const broken = rules.filter(
    ({ of, only, never, alsoTests }) =>
      of.test(file) && (alsoTests || !test_file.test(file)) && (never?.test(target) || only?.test(target) === false),
  )
  return [...broken.map(({ instead }) => `imports ${target}: ${instead}`), ...checkSibling(file, target)]
}

function checkLayer(file: string, target: string): string[] {
  const [own, other] = [placeOf(file), placeOf(target)]
  if (!own || own.floor !== other?.floor || own.start === other.start || other.layer < own.layer) return []
  const relation = other.layer === own.layer ? 'beside' : 'above'
  return [
    `imports ${target}: ${other.start} stands ${relation} ${own.start}; what both need belongs below them, and what ` +
      `needs both belongs ${other.layer === own.layer ? 'above them' : `to ${other.start} or above it`}`,
  ]
}

/** Its screen may be that of another resource, as bills are. */
const kindOfReport = /^web\/resources\/reports\/[^/]+\/kind\.ts$/

/** The tabs of a detail page are lists of other resources; importing more would couple their screens, as it would kinds. */
function checkSibling(file: string, target: string): string[] {
  const [, resource] = /^web\/resources\/([^/]+)\//.exec(file) ?? []
  const [, other, screen] = /^web\/resources\/([^/]+)\/(.+)$/.exec(target) ?? []
  const [kind, other_kind] = [file, target].map(
    (one) =>
      /^(?:server\/(?:connections|gateways|integrations|property-systems|reports)|web\/resources\/reports)\/([^/]+)\//.exec(
        one,
      )?.[1],
  )
  if (kind && other_kind && kind !== other_kind)
    return [`imports ${target}: a kind knows no other; what both need belongs one folder up`]
  if (!resource || !other || resource === other || screen === 'list.tsx' || kindOfReport.test(file)) return []
  return [`imports ${target}: of a sibling only its list.tsx may be shown; what both need belongs to web/kit`]
}

/** The folders of the server's resources, with those that each needs: whoever reads one need not know those that need it. */
function resourcesIn(graph: Map<string, string[]>): Map<string, string[]> {
  const folderOf = (file: string) => /^server\/resources\/[^/]+\//.exec(file)?.[0]
  const folders = new Map<string, string[]>()
  for (const [file, targets] of graph) {
    const own = folderOf(file)
    if (!own || test_file.test(file)) continue
    const others = targets.flatMap((target) => folderOf(target) ?? []).filter((other) => other !== own)
    folders.set(own, [...(folders.get(own) ?? []), ...others])
  }
  return folders
}

/** Each cycle once, from its first file in alphabetical order. */
function checkCycles(graph: Map<string, string[]>): string[] {
  const cycles = new Set<string>()
  const done = new Set<string>()
  const visit = (file: string, trail: string[]) => {
    const from = trail.indexOf(file)
    if (from >= 0) cycles.add(fromItsFirst(trail.slice(from)).join(' → '))
    if (from >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return [...cycles].map((cycle) => `${cycle}  import each other in a circle: move what they share below them`)
}

function fromItsFirst(cycle: string[]): string[] {
  const start = cycle.indexOf(cycle.toSorted()[0] ?? '')
  return [...cycle.slice(start), ...cycle.slice(0, start)]
}

const import_statement = /^\s*(?:import|export)\s+(?:[\w*${}\s,]+?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

function importsOf(file: string, source: string) {
  return [...source.matchAll(import_statement)].map((found) => {
    const [statement, from, dynamically] = found
    const specifier = from ?? dynamically ?? ''
    const line = source.slice(0, found.index + statement.search(/\S/)).split('\n').length
    return { target: resolve(file, specifier), line, dynamic: dynamically !== undefined }
  })
}

/** `#web/ui/button.tsx` and `./button.tsx` are web/ui/button.tsx; a package keeps its name. */
function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('./')) return path.posix.join(path.posix.dirname(file), specifier)
  return specifier.replace(/^#/, '')
}

const floors = ['contract', 'catalogue', 'portal', 'server', 'web', 'test', 'scripts', 'bench']

function readSources(): Map<string, string> {
  const names = floors
    .filter((floor) => fs.existsSync(floor))
    .flatMap((floor) => fs.readdirSync(floor, { recursive: true, encoding: 'utf8' }).map((name) => `${floor}/${name}`))
    .concat(fs.readdirSync('.'))
  const sources = names.filter((name) => /\.(ts|tsx|mjs)$/.test(name)).toSorted()
  return new Map(sources.map((name) => [name, fs.readFileSync(name, 'utf8')]))
}

if (import.meta.main) {
  const problems = checkFloors(readSources())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
