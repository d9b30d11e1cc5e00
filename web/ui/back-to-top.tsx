// Back to top: a button that appears after scrolling down 150 pixels.
import { useEffect, useState } from 'react'
import { Icon } from './icons.tsx'
import styles from './back-to-top.module.css'

/** The style sheet's rule for reduced motion does not apply to scrolling by script. */
const scrollBehavior = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth')

export function BackToTop({ offset_px = 150 }: { offset_px?: number }) {
  const [far, setFar] = useState(false)
  useEffect(() => {
    const update = () => setFar(window.scrollY > offset_px)
    const frame = requestAnimationFrame(update)
    window.addEventListener('scroll', update, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', update)
    }
  }, [offset_px])
  if (!far) return null
  return (
    <button
      type="button"
      className={styles.top}
      aria-label="Back to top"
      title="Back to top"
      onClick={() => window.scrollTo({ top: 0, behavior: scrollBehavior() })}
    >
      <Icon name="top" size={16} />
    </button>
  )
}
