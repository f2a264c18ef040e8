import type { Play } from './exchange.ts'

/** What an answer is when nothing is wrong. */
export const WELL = 'Very well.'

/** An ordinary answer. */
export const answers: Play = async ({ say, open, send, response }) => {
  open()
  await send(say.begin() + say.text(WELL) + say.end())
  response.end()
}

export const LOOK_ARGS = { path: 'a/long/way/home' }
const PIECES = ['{"path":', '"a/long', '/way/home"}']

/** An ordinary call of a tool. */
export const calls: Play = async ({ say, open, send, response }) => {
  open()
  await send(say.begin() + say.call(...PIECES) + say.callEnd() + say.end())
  response.end()
}
