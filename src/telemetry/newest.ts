/** A map that forgets its oldest entry when it is full: what is never seen ending must not stay for ever. */
export class Newest<Value> extends Map<string, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value as string)
    return this
  }
}
