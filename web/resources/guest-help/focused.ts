// Focused: the field of what was just opened, ready to be typed into.
import { useEffect, useRef } from 'react'

/** For the element around the field. */
export function useFocusedInput() {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => around.current?.querySelector('input')?.focus(), [])
  return around
}
