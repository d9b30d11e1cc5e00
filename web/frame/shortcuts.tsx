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

let open: Open = null
const listeners = new Set<() => void>()
function show(next: Open) {
  open = next
  for (const listener of listeners) listener()
}
/** The browser says a moment later that a dialog has been closed: by then the next one may be open. */
const closing = (one: Open) => () => {
  if (open === one) show(null)
}
const closePalette = closing('palette')
const closeHelp = closing('help')
/** For buttons that offer the palette, such as the header's. */
export const openPalette = () => show('palette')

export function Shortcuts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => open,
  )
  const openHelp = useCallback(() => show('help'), [])
  useKeys({ openPalette, openHelp })
  // Whoever opens the palette types at once, and must not type into nothing while it is fetched.
  useEffect(() => (prefetchAllowed() ? whenIdle(() => void loadPalette().catch(() => undefined)) : undefined), [])
  if (shown === 'help')
    return (
      <Suspense>
        <KeyHelp close={closeHelp} />
      </Suspense>
    )
  return shown === 'palette' ? <OpenPalette /> : null
}

const nothing: never[] = []

/** The line is there at once, and keeps what is typed while the rest is fetched. */
function OpenPalette() {
  const [typed, onType] = useState('')
  const [entered] = useState(keepEntered)
  const line = { typed, onType, entered }
  const ahead = (
    <Palette
      label={label}
      placeholder={placeholder}
      {...line}
      groups={nothing}
      busy
      late
      empty=""
      onClose={closePalette}
    />
  )
  return (
    <Suspense fallback={ahead}>
      <PaletteHost close={closePalette} line={line} />
    </Suspense>
  )
}
