import type { RoundStarted } from '../../../src/contract/round-started.ts'

/** What started a round that nobody typed. */
export const originWords = ({ kind, depth, hasPayload }: NonNullable<RoundStarted['origin']>): string =>
  [
    `sent by a ${kind}`,
    ...(depth > 1 ? [`${depth} automations deep`] : []),
    ...(hasPayload ? ['with words from outside'] : []),
  ].join(', ')
