// Back to top: appears once one has scrolled 150 pixels down.
import { useEffect, useState } from 'react'
import { Icon } from './icons.tsx'
import styles from './back-to-top.module.css'

/** Smoothness asked for in code is not what a style sheet calls off. */
const pace = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth')

export function BackToTop({ offset_px = 150 }: { offset_px?: number }) {
  const [far, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(window.scrollY > offset_px)
    const frame = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', look)
    }
  }, [offset_px])
  if (!far) return null
  return (
    <button
      type="button"
      className={styles.top}
      aria-label="Back to top"
      title="Back to top"
      onClick={() => window.scrollTo({ top: 0, behavior: pace() })}
    >
      <Icon name="top" size={16} />
    </button>
  )
}
