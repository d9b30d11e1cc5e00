// Splash: shown until it is known who is signed in.
import { Logo } from '#web/ui/logo.tsx'
import styles from './signed-out-layout.module.css'

export const Splash = () => (
  <div className={styles.splash} aria-busy="true">
    <Logo />
  </div>
)
