// In tab: tells a list that it stands inside a record's tab, where the record's own heading is above it already.
import { createContext } from 'react'

export const InTab = createContext(false)
