// Key words: the permissions of a key as text, and a first call that a new key may make.
import { keyAreas, levels, type Level } from '#contract/api-keys.ts'
import type { Area } from '#contract/permissions.ts'

export const levelNames: Record<Level, string> = {
  read: 'Read',
  write: 'Read and write',
  full: 'Read, write and delete',
}

/** `mac_categories` → `MAC categories`. */
export const areaName = (area: Area): string =>
  `${area[0]?.toUpperCase() ?? ''}${area.slice(1).replaceAll('_', ' ')}`.replace(/^Mac /, 'MAC ')

interface Granted {
  level: Level
  /** Null: in all areas. */
  areas: Area[] | null
}
const isLevel = (word: string): word is Level => (levels as readonly string[]).includes(word)

/** The permissions by level, the lowest first: `['write:rooms', 'read']` reads everywhere and writes rooms. */
function byLevel(permissions: readonly string[]): Granted[] {
  return levels.flatMap((level): Granted[] => {
    if (permissions.includes(level)) return [{ level, areas: null }]
    const areas = keyAreas.filter((area) => permissions.includes(`${level}:${area}`))
    return areas.length > 0 ? [{ level, areas }] : []
  })
}

/** `Read · Read and write: Devices, Rooms`. */
export const permissionsText = (permissions: readonly string[]): string =>
  byLevel(permissions)
    .map(({ level, areas }) => (areas ? `${levelNames[level]}: ${areas.map(areaName).join(', ')}` : levelNames[level]))
    .join(' · ')

/** Calls that accept an empty body, the most likely one first. */
const lists: [Area, string][] = [
  ['properties', '/properties'],
  ['accounts', '/accounts'],
  ['rooms', '/rooms'],
  ['devices', '/macs'],
  ['voucher_batches', '/voucher-batches'],
  ['packages', '/packages'],
  ['groups', '/groups'],
  ['mac_categories', '/mac-categories'],
  ['dashboard', '/dashboard'],
]

/** A curl command that is ready to paste. */
export function firstCall(token: string, permissions: readonly string[], origin = location.origin): string {
  const everywhere = permissions.some(isLevel)
  const reads = (area: Area) => everywhere || levels.some((level) => permissions.includes(`${level}:${area}`))
  const [, path] = lists.find(([area]) => reads(area)) ?? []
  // A key that may read none of them starts with the description of the API, which needs no token.
  if (path === undefined) return `curl ${origin}/api/v1/openapi.json`
  return [
    `curl ${origin}/api/v1${path}`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{}'`,
  ].join(' ')
}
