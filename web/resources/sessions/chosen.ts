// Chosen: the sessions that were ticked when the dialog that ends them was opened, which no address could hold; and what became
// of them, for whoever waits.
let chosen: { ids: number[]; answer: (done: boolean) => void } | null = null

/** Resolves to whether they were asked to end. Whoever comes first and is not answered, is answered with no. */
export function choose(ids: number[]): Promise<boolean> {
  answerChosen(false)
  // Back closes the dialog without a word.
  window.addEventListener('popstate', () => answerChosen(false), { once: true })
  return new Promise((answer) => (chosen = { ids, answer }))
}

export const chosenIds = (): number[] => chosen?.ids ?? []

export function answerChosen(done: boolean) {
  chosen?.answer(done)
  chosen = null
}
