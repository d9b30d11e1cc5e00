// Page weight: how much a guest's phone loads before the page can be used, without its pictures.
import { useEffect, useState, type RefObject } from 'react'
import styles from './preview.module.css'

/** Up to this weight a page opens fast, even on a slow connection. */
const weight_kib_max = 60
const pause_ms = 400

interface PageWeightProps {
  html: string
  frame: RefObject<HTMLIFrameElement | null>
}

export function PageWeight({ html, frame }: PageWeightProps) {
  const [kib, setKib] = useState<number>()
  useEffect(() => {
    let isStale = false
    const timer = setTimeout(async () => {
      const weight = await weightOf(html, frame.current)
      if (!isStale) setKib(weight)
    }, pause_ms)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [html, frame])
  if (kib === undefined) return <p className={styles.weight}>&nbsp;</p>
  return (
    <p className={styles.weight}>
      Page and font weigh {kib} KiB{kib > weight_kib_max ? `, more than the ${weight_kib_max} that open fast` : ''}
    </p>
  )
}

async function weightOf(html: string, frame: HTMLIFrameElement | null): Promise<number> {
  const packed = await new Response(new Blob([html]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  await frame?.contentDocument?.fonts.ready
  const fetched = frame?.contentWindow?.performance.getEntriesByType('resource') ?? []
  // The entries also include fonts that were tried before.
  const fonts = (fetched as PerformanceResourceTiming[]).filter(
    ({ name }) => name.endsWith('.woff2') && html.includes(new URL(name).pathname),
  )
  const bytes = fonts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, packed.byteLength)
  return Math.max(1, Math.round(bytes / 1024))
}
