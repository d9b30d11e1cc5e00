// Row keys: what a key does in a list: where it moves the focus, and what it presses in the focused row.
import type { KeyboardEvent } from 'react'
import { go } from '#web/kit/navigation/go.ts'
import type { AnyRow } from './list-types.ts'
import type { Selection } from './selection.ts'

/** Undefined for keys that do not move between rows. -1 means the headings. */
export function nextRow(key: string, at: number, count: number, page: number): number | undefined {
  const last = count - 1
  if (last < 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1)
    case 'ArrowUp':
      return Math.max(-1, at - 1)
    case 'PageDown':
      return Math.min(last, at + page)
    case 'PageUp':
      return Math.max(0, at - page)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

const controls = 'a[href], button:enabled, input:enabled'

/** Right and left move through the controls of a row, or of the headings, and back to the row itself. */
export function moveWithin(row: HTMLElement, focused: Element, key: string): boolean {
  const inside = [...row.querySelectorAll<HTMLElement>(controls)]
  const stops = row.hasAttribute('tabindex') ? [row, ...inside] : inside
  const at = stops.findIndex((stop) => stop === focused)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[key]
  if (to === undefined || at < 0) return false
  stops.at(to % stops.length)?.focus()
  return true
}

/** The two keyboard ways to open a context menu. */
export const opensMenu = (event: { key: string; shiftKey: boolean }) =>
  event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)

interface Pressed {
  row: AnyRow
  rows: readonly AnyRow[]
  line: HTMLElement
  /** The address that the row opens. */
  address: string | undefined
  selection: Selection | undefined
}

/** Returns whether the key was for the row. Controls in the row handle Space and Enter themselves. */
export function onRowKey(event: KeyboardEvent, { row, rows, line, address, selection }: Pressed): boolean {
  if (opensMenu(event)) {
    line.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
    return true
  }
  if (event.key === 'Escape' && event.target !== line) {
    line.focus({ preventScroll: true })
    return true
  }
  if (event.target !== line) return false
  if (event.key === 'Enter' && address) {
    if (event.metaKey || event.ctrlKey) window.open(address)
    else go(address)
    return true
  }
  if (!selection) return false
  if (event.key === ' ') {
    if (event.shiftKey) selection.extendTo(row, rows)
    else selection.toggle(row)
    return true
  }
  if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
    selection.all(rows)
    return true
  }
  if (event.key === 'Escape' && selection.ids.size > 0) {
    selection.clear()
    return true
  }
  return false
}
