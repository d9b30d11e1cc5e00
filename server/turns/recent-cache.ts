// Recent cache: a cache of a node for what it has just seen, so that it is not looked up or stored again.

/** Values are forgotten after a while, and the oldest of them when there are too many. */
export class Recent<V> {
  readonly #kept = new Map<string, { value: V; until: number }>()
  readonly #for_ms: number
  readonly #max: number
  constructor(for_ms: number, max: number) {
    this.#for_ms = for_ms
    this.#max = max
  }
  get(key: string): V | undefined {
    const found = this.#kept.get(key)
    return found && found.until > performance.now() ? found.value : undefined
  }
  set(key: string, value: V) {
    if (this.get(key) !== undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, { value, until: performance.now() + this.#for_ms })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break
      this.#kept.delete(oldest)
    }
  }
  delete(key: string) {
    this.#kept.delete(key)
  }
}
