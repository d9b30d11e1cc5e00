// Thumbnail: a small picture of a portal: its logo on its background, and the colour of its button.
import styles from './portals.module.css'

interface ThumbnailProps {
  portal: { background_colour: string; button_fill_colour: string; logo_preview_url: string | null }
}

/** Hidden from screen readers, as it adds nothing to the text of the row. */
export const Thumbnail = ({ portal }: ThumbnailProps) => (
  <span className={styles.look} style={{ background: portal.background_colour }} aria-hidden>
    {portal.logo_preview_url === null ? <i /> : <img src={portal.logo_preview_url} alt="" loading="lazy" />}
    <b style={{ background: portal.button_fill_colour }} />
  </span>
)
