// Theme switch: as the system, light, dark, in turn.
import { IconButton } from '#web/ui/button.tsx'
import { useScheme, type Scheme } from '#web/ui/provider.tsx'
import { say } from '#web/words/frame.ts'

const next: Record<Scheme, Scheme> = { auto: 'light', light: 'dark', dark: 'auto' }
const icons = { auto: 'system', light: 'light', dark: 'dark' } as const

export function ThemeSwitch() {
  const [scheme, setScheme] = useScheme()
  return (
    <IconButton
      icon={icons[scheme]}
      label={say('theme.change', { now: say(`theme.${scheme}`), next: say(`theme.${next[scheme]}`) })}
      onClick={() => setScheme(next[scheme])}
    />
  )
}
