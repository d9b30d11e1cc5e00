// Usual package: a desk sells the same one most of the day, so the last one is offered first.
import type { Name } from '#web/kit/call/names.ts'

const key = 'foyer-voucher-package'

export const keepPackage = (id: number) => localStorage.setItem(key, String(id))

/** Undefined where it is gone or disabled by now. */
export const usualPackage = (offered: readonly Name[]): number | undefined => {
  const id = Number(localStorage.getItem(key))
  return offered.some((row) => row.id === id && row.status === 'active') ? id : undefined
}
