// Floating: places a panel that opens under a button in the browser's top layer, where no table cell clips it.
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useFloatsAbove } from './dialog-focus.ts'

export type Side = 'start' | 'end'

interface Box {
  top: number
  bottom: number
  left: number
  right: number
}
interface Size {
  width: number
  height: number
}
const gap_px = 4
const margin_px = 8

/** Below the button, or above it if there is no room; aligned with its start or end edge, and never outside the window. */
export function placeBeside(button: Box, panel: Size, window: Size, side: Side): { top: number; left: number } {
  const below = button.bottom + gap_px
  const above = button.top - gap_px - panel.height
  const top = below + panel.height + margin_px <= window.height || above < margin_px ? below : above
  const left = side === 'start' ? button.left : button.right - panel.width
  return { top, left: Math.max(margin_px, Math.min(left, window.width - panel.width - margin_px)) }
}

interface Floating {
  button: RefObject<HTMLElement | null>
  panel: RefObject<HTMLElement | null>
  side: Side
  onClose: () => void
}

/**
 * Shows the panel (an element with `popover="manual"`) while it is mounted; a press elsewhere, Escape or resizing the window
 * closes it. The returned handler belongs on the panel: it recognises presses inside, also on what the panel renders elsewhere,
 * such as the list of a select, and on elements that the press removes. To be called only by components that are mounted while
 * open: a list has a menu in every row.
 */
export function useFloating({ button, panel, side, onClose }: Floating): { onPointerDownCapture: () => void } {
  const inside = useRef(false)
  useFloatsAbove()
  useLayoutEffect(() => {
    const anchor = button.current
    const element = panel.current
    if (!anchor || !element) return
    element.showPopover()
    const { top, left } = placeBeside(
      anchor.getBoundingClientRect(),
      element.getBoundingClientRect(),
      { width: innerWidth, height: innerHeight },
      side,
    )
    element.style.setProperty('top', `${top}px`)
    element.style.setProperty('left', `${left}px`)
  }, [button, panel, side])
  useEffect(() => {
    const pressed = (event: PointerEvent) => {
      const pressedInside = inside.current
      inside.current = false
      const target = event.target as Node
      if (!pressedInside && !panel.current?.contains(target) && !button.current?.contains(target)) onClose()
    }
    const typed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onClose()
      button.current?.focus()
    }
    document.addEventListener('pointerdown', pressed)
    document.addEventListener('keydown', typed)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', pressed)
      document.removeEventListener('keydown', typed)
      window.removeEventListener('resize', onClose)
    }
  }, [button, panel, onClose])
  return {
    onPointerDownCapture: () => {
      inside.current = true
    },
  }
}
