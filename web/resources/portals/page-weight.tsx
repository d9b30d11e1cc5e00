// Page weight: what a guest's phone fetches before the page can be used, besides its pictures.
import { useEffect, useState, type RefObject } from 'react'
import styles from './preview.module.css'

/** What a page weighs at most, that it opens on a slow line. */
const weight_kib_max = 60
const settled_ms = 400

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
    }, settled_ms)
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
  // Those of the fonts that were tried before are there, too.
  const fonts = (fetched as PerformanceResourceTiming[]).filter(
    ({ name }) => name.endsWith('.woff2') && html.includes(new URL(name).pathname),
  )
  const bytes = fonts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, packed.byteLength)
  return Math.max(1, Math.round(bytes / 1024))
}
