// Case: one list, asked one way, of the large customer and the small one.
import type { Customer } from './stage.ts'

export interface Case {
  name: string
  /** The list that it asks. */
  call: string
  body(customer: Customer): Promise<object>
  /** How many rows it must give, on both sides. */
  rows: number
  /** What the page needs of the database, and no more. */
  query(customer: Customer, body: never): { text: string; values: unknown[] }
}
