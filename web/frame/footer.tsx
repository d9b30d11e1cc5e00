// Footer: stands below the pages of those who are not signed in.
import { words } from '#contract/messages.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import styles from './signed-out-layout.module.css'

const year = new Date().getFullYear()

export const Footer = () => (
  <footer className={styles.footer}>
    <p>{words.footer.copyright(year)}</p>
    <p>
      {words.footer.agree}{' '}
      <Link href={to.root()} className={styles.link}>
        {words.footer.terms}
      </Link>
    </p>
  </footer>
)
