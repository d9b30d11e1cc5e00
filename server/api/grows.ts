// Grows: which calls add data, and are refused while the disk is nearly full.
import type { Endpoint } from '#contract/endpoint.ts'

/** Calls that end or remove something still work while the disk is nearly full, and so do signing in and downloads. */
const ends = /-(deactivate|remove|disconnect|withdraw-consent)(\/|-|$)/
export function grows({ kind, area, action, gives, path }: Endpoint): boolean {
  if (kind === 'read' || action === 'delete' || gives === 'file') return false
  return area === 'sessions' ? path === '/auth/signup' : !ends.test(path)
}
