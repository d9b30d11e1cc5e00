// External page: shown for a portal whose page is not made from its fields, as it is external or comes from a zip. Such pages are never
// shown inside the app.
import { portalTypes } from '#contract/portals.ts'
import { EmptyState } from '#web/ui/state.tsx'
import styles from './portals.module.css'

interface ExternalPageProps {
  portal: { portal_type_id: number; custom_portal_url: string | null; url: string }
}

const Outside = ({ href, children }: { href: string; children: string }) => (
  <a className={styles.outside} href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)

export function ExternalPage({ portal: { portal_type_id, custom_portal_url, url } }: ExternalPageProps) {
  if (portal_type_id === portalTypes.external)
    return (
      <EmptyState icon="portals" title="Guests are sent to a page of your own">
        {custom_portal_url ? (
          <Outside href={custom_portal_url}>{custom_portal_url}</Outside>
        ) : (
          'Its address is missing.'
        )}
      </EmptyState>
    )
  return (
    <EmptyState icon="portals" title="Guests see the pages of a zip">
      They are served apart from this app. <Outside href={url}>Open them in a new tab</Outside>
    </EmptyState>
  )
}
