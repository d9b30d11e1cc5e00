// Asking: what tests of invented kinds ask of a Foyer.
import * as dueWork from '#contract/due-work.ts'
import type { Person, TestFoyer } from '#test/foyer.ts'

/** Of what a node does by itself. */
export const patiently = { timeout: 60_000 }

export const errorsOf = ({ text }: { text: string }) => (JSON.parse(text) as { errors?: object }).errors

/** Has the work of a kind done now, wherever some of it waits, before it reads. */
export const doing =
  <T>(foyer: TestFoyer, editor: Person, kind: string, read: () => T | Promise<T>) =>
  async () => {
    const { data } = await foyer.get(dueWork.list, { filters: { kind: [kind] } }, editor)
    if (data.length > 0) await foyer.get(dueWork.retry, { ids: data.map(({ id }) => id) }, editor)
    return read()
  }
