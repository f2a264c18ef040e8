/** Another owner has the session now: stop, store nothing, start nothing. */
export class Fenced extends Error {
  override name = 'Fenced'
}

/** The process is stopping: leave the round as the log has it. */
export class Stopping extends Error {
  override name = 'Stopping'
}
