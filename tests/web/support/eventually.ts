import { expect } from 'vitest'

/** What a page comes to show or a server to know, as soon as it does. */
export const eventually = <T>(look: () => T) => expect.poll(look, { interval: 50 })
