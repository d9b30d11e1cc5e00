// QR picture: a QR code. Black on white in dark mode, too, as many cameras read nothing else.
import qrModules from 'qr'
import styles from './qr-picture.module.css'

export function QrPicture({ text, label }: { text: string; label: string }) {
  const modules = qrModules(text, 'raw', { ecc: 'medium', border: 3 })
  const path = modules.flatMap((line, y) => line.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
