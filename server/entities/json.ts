// JSON: an answer that PostgreSQL has already serialised, and that is sent unchanged. The type says what it contains; in
// tests it is parsed and checked against the contract like any other answer.

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
