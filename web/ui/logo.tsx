// Logo: the door of a foyer, drawn in the arcs of a wireless signal.
import styles from './logo.module.css'

export const Logo = ({ wordless = false }: { wordless?: boolean }) => (
  <span className={styles.logo}>
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M7.6 24.5v-8.1a8.4 8.4 0 0 1 16.8 0v8.1" opacity=".55" />
        <path d="M12 24.5v-7.9a4 4 0 0 1 8 0v7.9" />
      </g>
    </svg>
    <span className={wordless ? 'unseen' : styles.word}>Foyer</span>
  </span>
)
