// Simulated: what the simulations of hotel systems in the cloud are told of a hotel, and how they are called and answer. Each is
// written from its maker's documentation and shares no code with the kind that calls it.

export interface SimulatedGuest {
  first: string
  last: string
  /** Where people have two. */
  second_last?: string
  email?: string
  /** Where the reservation has several. */
  room?: string
}
export interface SimulatedStay {
  key: string
  room: string
  guests: SimulatedGuest[]
  arrives: string
  departs: string
}
export interface SimulatedCall {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}
export interface SimulatedAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** @param now by the system's own clock */
export const answerAt = (now: number, status: number, value?: unknown): SimulatedAnswer => ({
  status,
  headers: { date: new Date(now).toUTCString(), 'content-type': 'application/json' },
  body: value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value)),
})
