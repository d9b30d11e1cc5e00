// Form keys: Ctrl+S (⌘S) saves the form, Escape leaves it as Cancel does. Neither works while a dialog, a menu or the options of
// a select are open over it; in a dialog, Escape is the dialog's.
import { useEffect, useRef, type RefObject } from 'react'

const opened = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"][role="combobox"]'

export function useFormKeys(form: RefObject<HTMLFormElement | null>, keys: { save: () => void; leave: () => void }) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!form.current || event.isComposing) return
      const saves = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 's'
      // Also suppresses the browser's own "save page".
      if (saves) event.preventDefault()
      const around = form.current.closest('[role="dialog"]')
      if ([...document.querySelectorAll(opened)].some((one) => one !== around)) return
      if (saves) latest.current.save()
      const inside = event.target instanceof Node && form.current.contains(event.target)
      if (event.key === 'Escape' && inside && !around) latest.current.leave()
    }
    // Captured before the fields handle it: Escape closes the options of a select, which would then already look closed.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [form])
}
