// Case: one list, asked one way, of the large customer and the small one.
import type { Customer } from './stage.ts'

export interface Case {
  name: string
  /** The list that it asks. */
  call: string
  body(customer: Customer): Promise<object>
  /** How many rows it must give, on both sides, where it is a list. */
  rows?: number
  /** How many times as long the large customer's may take, where that is more than usual. */
  ratio_max?: number
  /** So many in a round, where one takes long. */
  requests?: number
  /** How many times as long as its query the large customer's may take, where that is held. */
  of_query_max?: number
  /** What the page needs of the database, and no more: the same rows and columns. Its first value is the customer. */
  query?(customer: Customer, body: never): { text: string; values: unknown[] }
}
