// Theme switch: as the system, light, dark, in turn.
import { IconButton } from '#web/ui/button.tsx'
import { useScheme, type Scheme } from '#web/ui/provider.tsx'

const next: Record<Scheme, Scheme> = { auto: 'light', light: 'dark', dark: 'auto' }
const words: Record<Scheme, string> = { auto: 'as the system', light: 'light', dark: 'dark' }
const icons = { auto: 'system', light: 'light', dark: 'dark' } as const

export function ThemeSwitch() {
  const [scheme, setScheme] = useScheme()
  return (
    <IconButton
      icon={icons[scheme]}
      label={`Theme: ${words[scheme]}. Change to ${words[next[scheme]]}`}
      onClick={() => setScheme(next[scheme])}
    />
  )
}
