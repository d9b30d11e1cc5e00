// Provider: puts the theme around the app and remembers light, dark or "as the system".
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/VisuallyHidden.layer.css'
import './theme.css'
import './base.css'
import type { ReactNode } from 'react'
import { localStorageColorSchemeManager, MantineProvider, useMantineColorScheme } from '@mantine/core'
import { scheme_key } from './kept-scheme.ts'
import { theme } from './theme.ts'

const schemes = localStorageColorSchemeManager({ key: scheme_key })

export const UiProvider = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    colorSchemeManager={schemes}
    defaultColorScheme="auto"
    withGlobalClasses={false}
    // They are in theme.css: computing them delays the first screen, and they would be set only after React's first render.
    withCssVariables={false}
  >
    {children}
  </MantineProvider>
)

export type Scheme = 'auto' | 'light' | 'dark'
/** The chosen scheme and its setter. `auto` follows the system. */
export function useScheme(): [Scheme, (scheme: Scheme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return [colorScheme, setColorScheme]
}
