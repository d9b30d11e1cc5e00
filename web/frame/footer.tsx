// Footer: below the pages of visitors who are not signed in.
import { messages } from '#contract/messages.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import styles from './signed-out-layout.module.css'

const year = new Date().getFullYear()

export const Footer = () => (
  <footer className={styles.footer}>
    <p>{messages.footer.copyright(year)}</p>
    <p>
      {messages.footer.agree}{' '}
      <Link href={to.root()} className={styles.link}>
        {messages.footer.terms}
      </Link>
    </p>
  </footer>
)
