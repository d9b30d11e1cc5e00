// Report screens: one of each kind of report, to which the navigation of reports and the palette lead. The kinds are listed some layers
// above; main.tsx passes them down.
import { createContext } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ReportScreen } from '#web/paths.ts'
import type { IconName } from '#web/ui/icons.tsx'

export interface ListedScreen {
  /** Among reports. */
  name: string
  /** Among all pages. */
  title: string
  hint?: string
  icon: IconName
  screen: ReportScreen
  /** Who may make it finds the page. */
  call: Endpoint
}

export const ReportScreens = createContext<readonly ListedScreen[]>([])
