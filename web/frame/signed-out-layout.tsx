// Signed-out layout: a card for sign-in and sign-up, with the footer below it.
import type { ReactNode } from 'react'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Footer } from './footer.tsx'
import styles from './signed-out-layout.module.css'

export interface SignedOutLayoutProps {
  title: string
  /** A line below the title. */
  lead?: ReactNode
  children: ReactNode
  /** Below the card: a link to the related page. */
  below?: ReactNode
}

export const SignedOutLayout = ({ title, lead, children, below }: SignedOutLayoutProps) => (
  <div className={styles.page}>
    <header className={styles.top}>
      <Link href={to.root()} label="Foyer, home">
        <Logo />
      </Link>
    </header>
    <main className={styles.main}>
      <div className={styles.card}>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
      {below && <p className={styles.below}>{below}</p>}
    </main>
    <Footer />
  </div>
)
