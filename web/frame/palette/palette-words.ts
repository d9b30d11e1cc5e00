// Palette words: what its line is called, and what is kept of it; needed before the palette is there.
import type { Entered } from '#web/ui/palette.tsx'

export const label = 'Go to a page, or find a property, guest or code'
export const placeholder = 'Find a guest, property or code, or go to a page'

/** What Enter was pressed for. */
export function keepEntered(): Entered {
  let kept: string | undefined
  return { get: () => kept, set: (typed) => void (kept = typed) }
}

/** What has been typed so far, and what Enter was pressed for: kept apart from the palette, which may still be on its way. */
export interface Line {
  typed: string
  onType: (typed: string) => void
  entered: Entered
}
