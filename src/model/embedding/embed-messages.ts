/** To the thread that embeds, one text at a time. */
export interface Question {
  readonly id: number
  readonly text: string
}

/** And back. A failure is the end of the thread instead. */
export interface Answer {
  readonly id: number
  readonly vector: Float32Array
}
