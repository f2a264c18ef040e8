/** How much of a stream is read, told and written at once: a millisecond or two, then others have their turn. */
export const STEP = { limit: 256, chars: 64_000 } as const
