// Focused input: moves the focus to the field of a form that was just opened.
import { useEffect, useRef } from 'react'

/** A ref for the element around the field. */
export function useFocusedInput() {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => around.current?.querySelector('input')?.focus(), [])
  return around
}
