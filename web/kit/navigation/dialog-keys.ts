// Dialog keys: the keys of the query that say which dialog is open, for what is inside it; undefined on a screen. The table of dialogs,
// which the kit is below, names them.
import { createContext } from 'react'

export const DialogKeys = createContext<readonly string[] | undefined>(undefined)
