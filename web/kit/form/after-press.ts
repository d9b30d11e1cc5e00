// After press: waits until the pointer is released. Leaving a field by pressing a button would otherwise show the field's
// error at once, move the button away from under the pointer, and lose the press.
let pressed = false
if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (pressed = true), true)
  for (const end of ['pointerup', 'pointercancel', 'dragend'])
    window.addEventListener(end, () => (pressed = false), true)
}

export function afterPress(work: () => void): void {
  if (!pressed) return work()
  const end = () => {
    window.removeEventListener('pointerup', end)
    window.removeEventListener('pointercancel', end)
    // The click event follows immediately and goes first.
    setTimeout(work)
  }
  window.addEventListener('pointerup', end)
  window.addEventListener('pointercancel', end)
}
