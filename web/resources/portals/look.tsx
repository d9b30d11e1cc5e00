// Look: a portal at a glance: its logo on its own ground, and its button's colour.
import styles from './portals.module.css'

interface LookProps {
  portal: { background_colour: string; button_fill_colour: string; logo_preview_url: string | null }
}

/** A list's rows say the rest in words, so readers pass it over. */
export const Look = ({ portal }: LookProps) => (
  <span className={styles.look} style={{ background: portal.background_colour }} aria-hidden>
    {portal.logo_preview_url === null ? <i /> : <img src={portal.logo_preview_url} alt="" loading="lazy" />}
    <b style={{ background: portal.button_fill_colour }} />
  </span>
)
