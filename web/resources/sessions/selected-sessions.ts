// Selected sessions: those that were ticked when the dialog that disconnects them was opened, as an address could not contain them all;
// and the answer for the caller that is waiting.
interface Session {
  id: number
  property: { id: number }
}
let chosen: { sessions: readonly Session[]; answer: (done: boolean) => void } | null = null

/** Resolves to whether disconnecting was requested. An earlier call that is still waiting gets false. */
export function choose(sessions: readonly Session[]): Promise<boolean> {
  answerChosen(false)
  // Back closes the dialog without answering.
  window.addEventListener('popstate', () => answerChosen(false), { once: true })
  return new Promise((answer) => (chosen = { sessions, answer }))
}

export const chosenSessions = (): readonly Session[] => chosen?.sessions ?? []

export function answerChosen(done: boolean) {
  chosen?.answer(done)
  chosen = null
}
