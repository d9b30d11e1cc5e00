// Case: one query of one list, measured for the large customer and the small one.
import type { Customer } from './stage.ts'

export interface Case {
  name: string
  /** The path of the list. */
  call: string
  body(customer: Customer): Promise<object>
  /** How many rows it must return for both customers, if it is a list. */
  rows?: number
  /** How many times as long the large customer's may take, if more than the default. */
  ratio_max?: number
  /** Requests in a round, if one takes long. */
  requests?: number
  /** How many times as long as its query the large customer's may take, if that is limited. */
  of_query_max?: number
  /** A query for just what the page needs: the same rows and columns. Its first value is the customer. */
  query?(customer: Customer, body: never): { text: string; values: unknown[] }
}
