// Footer preview: the footer as portals show it, with the stored picture or the one that was just chosen.
import { useEffect, useState } from 'react'
import { PortalFooter } from '#portal/footer.tsx'
import { footerStyles } from '#portal/styles.ts'
import type { Footer } from './kind.ts'
import styles from './portal-footers.module.css'

export interface FooterPreviewProps {
  /** Chosen, but not saved yet. */
  image: File | undefined
  kept: Footer | undefined
  url: string | null
}

export function FooterPreview({ image, kept, url }: FooterPreviewProps) {
  const chosen = useAddressOf(image)
  const shown = chosen
    ? { image_url: chosen, width: 0, height: 0 }
    : kept && { image_url: kept.image_url, width: kept.image.width, height: kept.image.height }
  return (
    <div className={styles.page}>
      <style>{footerStyles}</style>
      <div className={styles.portal} aria-hidden>
        <span />
        <span />
        <span />
      </div>
      {shown ? <PortalFooter {...shown} url={url} /> : <p className={styles.none}>Choose a picture to see it here.</p>}
    </div>
  )
}

/** An object URL for a file that has not been uploaded yet. */
function useAddressOf(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
