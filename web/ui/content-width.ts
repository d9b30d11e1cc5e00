// Content width: the width of the part of the page that holds a screen. The frame measures it before anything is rendered: measuring
// it later would make the browser lay out the whole page twice.

let width_px = 0

/** Without padding; 0 until the frame is rendered. */
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
