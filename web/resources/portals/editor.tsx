// Portal editor: a portal as guests see it, with all of its settings in a sidebar. In narrow windows the sidebar is a drawer over
// the page.
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { constants } from '#contract/constants.ts'
import * as portals from '#contract/portals.ts'
import { lazyPart } from '#web/frame/lazy-part.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { useLeaveGuard } from '#web/kit/form/leave-guard.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/dialog.tsx'
import { designOf } from './design.ts'
import { ExternalPage } from './external-page.tsx'
import { schemaOf } from './rules.ts'
import { PortalSidebar, type PortalForm } from './sidebar.tsx'
import { useFooter } from './use-footer.ts'
import styles from './editor.module.css'

const LivePreview = lazyPart(async () => (await import('./preview.tsx')).PortalPreview)

interface EditorProps {
  id?: number
  /** For a new portal. */
  portal_layout_id?: number
  /** The heading above the page. */
  children: ReactNode
}

export function PortalEditor({ id, portal_layout_id = portals.portalLayouts.horizontal, children }: EditorProps) {
  const form: PortalForm = useResource(portals, schemaOf, id, { portal_layout_id, auth_method_ids: [], logo: null })
  useLeaveGuard(form)
  const isNarrow = useIsNarrow()
  // Users who may only read have come to see the page.
  const [open, setOpen] = useState(!form.readOnly)
  const sidebar = <PortalSidebar form={form} back={to.portals()} />
  return (
    <div className={styles.editor}>
      <div className={styles.heading}>{children}</div>
      <div className={styles.page}>
        {isNarrow && (
          <Button wide icon="edit" onClick={() => setOpen(true)}>
            {form.readOnly ? 'Show its settings' : 'Change the portal'}
          </Button>
        )}
        <AsGuestsSeeIt form={form} />
      </div>
      {isNarrow ? (
        <Drawer
          open={open}
          onClose={() => setOpen(false)}
          title={form.record?.name ?? (id === undefined ? 'New portal' : 'Portal')}
          width={constants.widths.portal_drawer_px}
        >
          {sidebar}
        </Drawer>
      ) : (
        <aside className={styles.sidebar} style={{ width: constants.widths.portal_drawer_px }} aria-label="Portal">
          {sidebar}
        </aside>
      )}
    </div>
  )
}

function AsGuestsSeeIt({ form }: { form: PortalForm }) {
  const { values, record } = form
  const logo = useAddressOf(values['logo'], record?.logo_preview_url)
  const portal_image = useAddressOf(values['portal_image'], record?.side_image_preview_url)
  const footer = useFooter()
  if (form.state !== 'ready') return null
  const { portal_type_id, custom_portal_url } = values
  if (typeof portal_type_id === 'number' && portal_type_id !== portals.portalTypes.standard)
    return (
      <ExternalPage
        portal={{
          portal_type_id,
          custom_portal_url: typeof custom_portal_url === 'string' ? custom_portal_url : null,
          url: record?.url ?? '',
        }}
      />
    )
  return <LivePreview design={designOf(values, { logo, portal_image })} footer={footer} />
}

/** The object URL of a picture that was just chosen; else the address of the stored one. */
function useAddressOf(value: unknown, stored: string | null | undefined): string | null {
  const [address, setAddress] = useState<string>()
  const file = value instanceof File ? value : undefined
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (file) return address ?? null
  return value ? (stored ?? null) : null
}

const narrow = `(max-width: ${constants.widths.portal_drawer_breakpoint_px - 1}px)`
const watchNarrow = (listener: () => void) => {
  const query = matchMedia(narrow)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
const useIsNarrow = () => useSyncExternalStore(watchNarrow, () => matchMedia(narrow).matches)
