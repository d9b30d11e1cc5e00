// Layout: the parts of the page that each layout arranges, and the styles that it adds.
import type { ReactNode } from 'react'

export interface Parts {
  /** The operator's logo, or its name. */
  brand: ReactNode
  /** The switch of languages. */
  languages: ReactNode
  /** Property and headline. */
  welcome: ReactNode
  /** The form, or its outcome. */
  card: ReactNode
  /** The picture next to the form, in the layout that has one. */
  picture: ReactNode
  /** The operator's own line and picture below. */
  footer: ReactNode
}

export interface Layout {
  Page: (parts: Parts) => ReactNode
  styles: string
}
