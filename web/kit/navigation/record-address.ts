// Record address: where a record that another one refers to is opened, where this user may. The app's addresses, which the kit is below,
// say it.
import { createContext } from 'react'
import type { RefTarget } from '#contract/ref-target.ts'

type AddressOf = (target: RefTarget, id: number) => string | undefined

export const RecordAddress = createContext<AddressOf>(() => undefined)
