// JSON: an answer that PostgreSQL has written already, and that is sent on as it is. The type says what stands in it; in
// tests it is read and held against the contract like any other answer.

export class Json<T> {
  declare readonly holds: T
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  parsed(): T {
    return JSON.parse(this.text) as T
  }
}
