// Form keys: Ctrl+S (⌘S) saves the form in sight, Escape leaves it as Cancel does. Both rest while a dialog, a menu or
// the options of a select are open.
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
      // The browser's own "save page" helps nobody here.
      if (saves) event.preventDefault()
      if (document.querySelector(opened)) return
      if (saves) latest.current.save()
      const inside = event.target instanceof Node && form.current.contains(event.target)
      if (event.key === 'Escape' && inside) latest.current.leave()
    }
    // Ahead of the fields: Escape closes the options of a select, and by then they would look closed already.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [form])
}
