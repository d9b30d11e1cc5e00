// Shortcuts: the palette and the help for keys, fetched when they are first asked for, and the keys that open them.
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { prefetchAllowed, whenIdle } from '#web/kit/navigation/prefetch.ts'
import { loadPart } from './chunk-reload.ts'
import { Palette } from '#web/ui/palette.tsx'
import { useKeys } from './palette/keys.ts'
import { keepEntered, label, placeholder } from './palette/palette-words.ts'

type Open = 'palette' | 'help' | null

const loadPalette = () => import('./palette/palette-host.tsx').then((m) => m.PaletteHost)
const PaletteHost = lazy(() => loadPart(loadPalette).then((component) => ({ default: component })))
const KeyHelp = lazy(() =>
  loadPart(() => import('./palette/key-help.tsx').then((m) => m.KeyHelp)).then((component) => ({
    default: component,
  })),
)

/** Each opening has a number: the browser reports the close of a dialog a moment later, when the next one may already be open. */
let state: { open: Open; opening: number } = { open: null, opening: 0 }
const listeners = new Set<() => void>()
function show(open: Open) {
  state = { open, opening: state.opening + 1 }
  for (const listener of listeners) listener()
}
const closeOf = (opening: number) => () => {
  if (state.opening === opening) show(null)
}
const isDrawn = () => document.querySelector('dialog[open]') !== null
/** For buttons that open the palette, such as the header's. An open palette stays as it is. */
export const openPalette = () => {
  if (state.open !== 'palette' || !isDrawn()) show('palette')
}

export function Shortcuts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => state,
  )
  const openHelp = useCallback(() => show('help'), [])
  useKeys({ openPalette, openHelp })
  // Users type as soon as the palette opens, and what they type must not be lost while its code is fetched.
  useEffect(() => (prefetchAllowed() ? whenIdle(() => void loadPalette().catch(() => undefined)) : undefined), [])
  const { open, opening } = shown
  if (open === 'help')
    return (
      <Suspense>
        <KeyHelp close={closeOf(opening)} />
      </Suspense>
    )
  return open === 'palette' ? <OpenPalette key={opening} close={closeOf(opening)} /> : null
}

const nothing: never[] = []

/** The input is there at once, and keeps what is typed while the rest is fetched. */
function OpenPalette({ close }: { close: () => void }) {
  const [typed, onType] = useState('')
  const [entered] = useState(keepEntered)
  const line = { typed, onType, entered }
  const ahead = (
    <Palette label={label} placeholder={placeholder} {...line} groups={nothing} busy late empty="" onClose={close} />
  )
  return (
    <Suspense fallback={ahead}>
      <PaletteHost close={close} line={line} />
    </Suspense>
  )
}
