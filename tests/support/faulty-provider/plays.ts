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

/** Some text, then nothing more: the connection is gone. */
export const breaksOff: Play = async ({ say, open, send, wait, socket }) => {
  open()
  await send(say.begin() + say.text('Once upon ', 'a time'))
  await wait(20)
  socket.destroy()
}

/** An error in the words of the provider. */
export const refuses =
  (status: number, headers: Readonly<Record<string, string>> = {}, message = 'No.'): Play =>
  ({ open, wire, response }) => {
    open({ 'content-type': 'application/json', ...headers }, status)
    response.end(JSON.stringify(wire.error(status, message)))
  }
