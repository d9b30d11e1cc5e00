// Case: one list, asked one way, of the large customer and the small one.
import type { Customer } from './stage.ts'

export interface Case {
  name: string
  /** The list that it asks. */
  call: string
  body(customer: Customer): Promise<object>
  /** How many rows it must give, on both sides. */
  rows: number
  /** How many times as long the large customer's may take, where that is more than usual. */
  ratio_max?: number
  /** What the page needs of the database, and no more. */
  query?(customer: Customer, body: never): { text: string; values: unknown[] }
}
