// Layout: the parts of the page that each layout puts in its own places, and what it adds to the styles.
import type { ReactNode } from 'react'

export interface Parts {
  /** The operator's logo, or its name. */
  brand: ReactNode
  /** The switch of languages. */
  languages: ReactNode
  /** Property and headline. */
  welcome: ReactNode
  /** The form, or what came of it. */
  card: ReactNode
  /** The picture beside the form, in the layout that has one. */
  picture: ReactNode
  /** The operator's own line and picture below. */
  footer: ReactNode
}

export interface Layout {
  Page: (parts: Parts) => ReactNode
  styles: string
}
