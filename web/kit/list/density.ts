// Density: the row height of lists, as chosen in this browser. On touch screens rows are always high.
import { useSyncExternalStore } from 'react'

export const densities = ['compact', 'roomy'] as const
export type Density = (typeof densities)[number]
const key = 'foyer-density'

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('resize', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('resize', listener)
  }
}

const kept = (): Density => (localStorage.getItem(key) === 'roomy' ? 'roomy' : 'compact')
const show = () => document.documentElement.setAttribute('data-density', kept())

export function chooseDensity(density: Density) {
  localStorage.setItem(key, density)
  show()
  for (const listener of listeners) listener()
}
export const useDensity = (): Density => useSyncExternalStore(subscribe, kept)

/** In pixels: the current value of `--row` in base.css. */
const rowHeight = () => {
  if (!document.documentElement.hasAttribute('data-density')) show()
  return parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 44
}
export const useRowHeight = (): number => useSyncExternalStore(subscribe, rowHeight)
