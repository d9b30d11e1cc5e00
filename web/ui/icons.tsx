// Icons: those that the app uses, named by their meaning. 18 pixels, hidden from screen readers: each has words next to it.
import { lines } from './icon-lines.ts'

export type IconName = keyof typeof lines
export const isIcon = (name: string): name is IconName => name in lines

/** One path, as a screen has some thirty icons, and each line of theirs would be an element. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    focusable={false}
  >
    <path d={lines[name].join(' ')} />
  </svg>
)
