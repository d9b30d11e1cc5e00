// Keys: what a key does wherever one is: ⌘K or Ctrl+K opens the palette, `/` goes to the search of the list, `?` shows the keys.
import { useEffect } from 'react'

export interface KeyActions {
  openPalette: () => void
  openHelp: () => void
}

/** As the keyboard in front of one has it. */
export const commandKey = (platform: string = navigator.platform): string => (/Mac|iP/.test(platform) ? '⌘' : 'Ctrl')

/** Whether a key pressed here is part of a text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)))

const isInDialog = () => document.querySelector('[role="dialog"][aria-modal="true"], dialog[open]') !== null

/** The search of the list that is open; false where there is none. */
export function focusSearch(): boolean {
  const inputs = document.querySelectorAll<HTMLInputElement>('#main [role="search"] input')
  const input = [...inputs].find((one) => one.offsetParent !== null)
  input?.focus()
  input?.select()
  return input !== undefined
}

export function useKeys({ openPalette, openHelp }: KeyActions) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isInDialog()) return
      if (event.key === '?') openHelp()
      // Where there is no list, the palette searches everything.
      else if (event.key === '/' && !focusSearch()) openPalette()
      else if (event.key !== '/') return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [openPalette, openHelp])
}
