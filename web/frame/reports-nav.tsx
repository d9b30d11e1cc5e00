// Reports navigation: links to the screens of reports, above each of them.
import { use } from 'react'
import { Link } from '#web/kit/navigation/link.tsx'
import { useScreenPath } from '#web/kit/navigation/screen-search.ts'
import { hasScreen } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { TabLinks } from '#web/ui/tabs.tsx'
import { ReportScreens } from './report-screens.ts'
import styles from './reports-nav.module.css'

const others = [
  { name: 'Saved', screen: 'reports' },
  { name: 'Scheduled', screen: 'reports/scheduled' },
  { name: 'Files', screen: 'reports/files' },
]

export function ReportsNav() {
  const path = useScreenPath()
  const context = appContext()
  const places = [...use(ReportScreens), ...others]
  return (
    <div className={styles.nav}>
      <TabLinks label="Reports">
        {places
          .filter(({ screen }) => hasScreen(context, screen))
          .map(({ name, screen }) => (
            <Link
              key={screen}
              href={`/${context}/${screen}`}
              current={path === `/${context}/${screen}` ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
      </TabLinks>
    </div>
  )
}
