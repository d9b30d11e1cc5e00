// Usual package: a desk mostly sells the same one, so the last one is preset.
import type { Name } from '#web/kit/call/names.ts'

const key = 'foyer-voucher-package'

export const keepPackage = (id: number) => localStorage.setItem(key, String(id))

/** Undefined if it no longer exists or is disabled. */
export const usualPackage = (offered: readonly Name[]): number | undefined => {
  const id = Number(localStorage.getItem(key))
  return offered.some((row) => row.id === id && row.status === 'active') ? id : undefined
}
