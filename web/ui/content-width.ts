// Content width: how wide the part of the page is that holds a screen. The frame measures it while nothing is drawn yet:
// whoever asks later makes the browser lay out the whole page twice.

let width_px = 0

/** Without its padding; 0 as long as no frame stands. */
export const contentWidth = (): number => width_px

/** A ref for the element that holds the screen. */
export function watchContentWidth(element: HTMLElement | null) {
  if (!element) return
  if (width_px === 0) {
    const { paddingLeft, paddingRight } = getComputedStyle(element)
    width_px = Math.floor(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
  }
  const observer = new ResizeObserver(([entry]) => {
    if (entry) width_px = Math.floor(entry.contentRect.width)
  })
  observer.observe(element)
  return () => observer.disconnect()
}
