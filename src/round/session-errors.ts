import type { Claim } from '../store/index.ts'

/** Another owner has the session now: stop, store nothing, start nothing. */
export class Fenced extends Error {
  override name = 'Fenced'
}

/** The process is stopping: leave the round as the log has it. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** Somebody else's change came first under this key; nothing was stored. */
export class Taken extends Error {
  override name = 'Taken'
  readonly claim: Claim

  constructor(claim: Claim) {
    super(`${claim.key} was used before`)
    this.claim = claim
  }
}
