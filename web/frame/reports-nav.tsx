// Reports navigation: links to the screens of reports, above each of them.
import { Link } from '#web/kit/navigation/link.tsx'
import { useScreenPath } from '#web/kit/navigation/screen-search.ts'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { TabLinks } from '#web/ui/tabs.tsx'
import styles from './reports-nav.module.css'

const places = [
  { title: 'Sessions', screen: 'reports/session', href: () => to.sessionReport() },
  { title: 'Free Wi-Fi', screen: 'reports/free-wifi', href: () => to.freeWifiReport() },
  { title: 'Billing', screen: 'reports/billing', href: () => to.billing() },
  { title: 'Saved', screen: 'reports', href: () => to.reports() },
  { title: 'Scheduled', screen: 'reports/scheduled', href: () => to.scheduledReports() },
  { title: 'Files', screen: 'reports/files', href: () => to.reportFiles() },
]

export function ReportsNav() {
  const path = useScreenPath()
  const context = appContext()
  return (
    <div className={styles.nav}>
      <TabLinks label="Reports">
        {places
          .filter(({ screen }) => hasScreen(context, screen))
          .map(({ title, screen, href }) => (
            <Link key={screen} href={href()} current={path === `/${context}/${screen}` ? 'page' : undefined}>
              {title}
            </Link>
          ))}
      </TabLinks>
    </div>
  )
}
