/** Listeners; one that throws must not make a stored change look failed, nor stop the others. */
export class Listeners<Values extends unknown[]> extends Set<(...values: Values) => void> {
  /** Returns a function that removes the listener. */
  subscribe(listener: (...values: Values) => void): () => void {
    this.add(listener)
    return () => void this.delete(listener)
  }

  notify(...values: Values): void {
    for (const listener of this) this.tell(listener, ...values)
  }

  /** Calls one of them, unless it was removed. */
  tell(listener: (...values: Values) => void, ...values: Values): void {
    try {
      if (this.has(listener)) listener(...values)
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}
