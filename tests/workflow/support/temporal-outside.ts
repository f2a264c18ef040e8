import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Json } from '../../../src/contract/message.ts'
import { counter, FAILURE, OUTPUT, played, type Asked, type Conduct, type Outside } from './outside.ts'
import type { Run } from './temporal-run.ts'
import { startTemporal, type How } from './temporal-server.ts'

const START = 'StartWorkflowExecution'
const PERMISSION_DENIED = 7
const RESOURCE_EXHAUSTED = 8

const HOWS: Readonly<Record<Conduct, How>> = {
  succeeds: 'answers',
  fails: 'answers',
  'goes on': 'answers',
  'stays silent': 'silent',
  'breaks off': 'cuts',
  drops: 'drops',
  'is busy': RESOURCE_EXHAUSTED,
  refuses: PERMISSION_DENIED,
}

/** A Temporal server with a worker that does what it is told. */
export async function temporalOutside(): Promise<Outside> {
  const { play, next } = played('succeeds')
  const asked: Asked[] = []
  const came = counter()
  let conduct: Conduct = 'succeeds'
  let output: Json = OUTPUT
  const server = await startTemporal((run) => {
    if (conduct !== 'goes on') end(run, conduct === 'fails' ? 'failure' : 'success')
  })
  server.behave(START, () => HOWS[(conduct = next())])
  server.onStart(({ workflowId: key, input, memo }) => {
    const [depth, invocationId] = [String(memo['segno-depth']), String(memo['segno-invocation'])]
    asked.push({ key, input, depth, invocationId })
    came.add()
  })

  function end(run: Run | undefined, how: 'success' | 'failure'): void {
    if (!run) throw new Error('nothing with this key was begun')
    if (how === 'success') run.complete(output)
    else run.fail(FAILURE)
  }
  const runOf = (key: string): Run | undefined => server.runs.find(({ workflowId }) => workflowId === key)

  return {
    engine: 'temporal',
    address: server.address,
    target: { connection: 'main', workflowType: 'Print', taskQueue: 'printing' },
    secrets: {},
    finds: 'keys',
    cancels: true,
    answersAtOnce: false,
    retryAfterMs: 0,
    play,
    returns: (given) => void (output = given),
    asked,
    get begun() {
      return server.runs.map(({ workflowId }) => workflowId)
    },
    wasAsked: came.reaches,
    end: (key, how = 'success') => end(runOf(key), how),
    isStopped: (key) => runOf(key)?.isCancelled === true,
    reporter: () => ({ actor: LOCAL_OWNER }),
    leave: server.close,
  }
}
