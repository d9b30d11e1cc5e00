// In tab: a context that tells a list that it is inside a record's tab, below the record's own heading.
import { createContext } from 'react'

export const InTab = createContext(false)
