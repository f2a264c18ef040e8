import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { messageIdOf, type Episode, type Life, type State } from './plan.ts'
import { knownFrom } from './run-chain.ts'
import { runLife } from './run-life.ts'
import { setStage } from './stage.ts'

verifies(
  ['REL-1', 'REL-2', 'LIN-2', 'LIN-3'],
  'an unsafe effect happens once when the process is killed between the effect and its result',
  async () => {
    const { home, ledger } = await setStage()
    const episode: Episode = { id: '1', protocol: 'unified', effect: 'unsafe', calls: 1 }
    const life: Life = { home, ledger: ledger.url, known: knownFrom([]), steps: [{ episode }] }
    const killed = { ...life, steps: [{ episode, kill: { point: 'in tool, after its effect', nth: 1 } as const }] }

    const first = await runLife(killed, ledger)
    expect(first).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    expect(ledger.of(home)).toHaveLength(1)

    const second = await runLife({ ...life, known: knownFrom([first.heard]) }, ledger)
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(ledger.of(home)).toMatchObject([{ effect: 'unsafe', happened: true, startStored: true }])

    const accepted = [...first.heard, ...second.heard].flatMap((one) =>
      one.type === 'accepted' && one.messageId === messageIdOf(episode) ? [one.requestId] : [],
    )
    expect(new Set(accepted).size).toBe(1)
    const { sessions } = second.heard.flatMap((one) => (one.type === 'state' ? [one.state] : []))[0] as State
    const events = sessions[0]?.events.filter((event) => event.requestId === accepted[0]) ?? []
    const [delivery] = ledger.of(home)
    expect(events.filter((event) => event.type === 'tool.result')).toMatchObject([
      { data: { callId: delivery?.callId, outcome: 'unknown', effect: 'unknown' } },
    ])
    expect(events.filter((event) => event.type === 'round.resumed')).toMatchObject([{ data: { n: 1 } }])
    expect(events.filter((event) => event.type === 'round.ended')).toMatchObject([
      { data: { finishReason: 'complete' } },
    ])
    expect(second.heard.filter((one) => one.type === 'answered')).toMatchObject([
      { finishReason: 'complete', content: 'Echo: after 1: are you there?' },
    ])
  },
  60_000,
)
