/** What is measured inside a page, as `window.probe`. */
export interface Probe {
  /** resolves with the time since navigation at which these words were painted */
  painted(words: string): Promise<number>
  readonly streaming: Streaming
}

export interface Streaming {
  deltas: number
  /** of each delta: milliseconds from its arrival to the screen, and how many frames began until it was there */
  readonly delays: number[]
  readonly frames: number[]
  /** how long each frame took, from its beginning to that of the next */
  readonly gaps: number[]
  /** tasks of more than 50 ms: when and how long */
  readonly longTasks: { readonly at: number; readonly ms: number }[]
}

/** Given to a page as its source, before any other script: it may use nothing from outside itself. */
export function installProbe(): void {
  const streaming: Streaming = { deltas: 0, delays: [], frames: [], gaps: [], longTasks: [] }
  const arrived: { number: number; at: number; frame: number }[] = []
  const frame = { number: 0, time: 0, isNow: false }

  /** Runs after the frame that is being made, if one is. */
  function afterFrame(run: () => void): void {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', run, { once: true })
    port1.start()
    port2.postMessage(0)
  }

  const request = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      if (time !== frame.time) {
        if (frame.time > 0) streaming.gaps.push(time - frame.time)
        frame.number += 1
        frame.time = time
        frame.isNow = true
        afterFrame(() => (frame.isNow = false))
      }
      callback(time)
    })
  const tick = (): void => void window.requestAnimationFrame(tick)
  tick()

  function afterPaint(run: () => void): void {
    if (frame.isNow) afterFrame(run)
    else window.requestAnimationFrame(() => afterFrame(run))
  }

  // A delta has arrived when the page reads it.
  const { parse } = JSON
  JSON.parse = (text: string, ...more) => {
    const value: unknown = parse(text, ...more)
    const delta = value as { kind?: string; text?: string } | null
    if (delta?.kind === 'text') {
      streaming.deltas += 1
      const at = performance.now()
      for (const [, number] of (delta.text ?? '').matchAll(/w(\d+) /g))
        arrived.push({ number: Number(number), at, frame: frame.number })
    }
    return value
  }

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) streaming.longTasks.push({ at: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })

  const wanted = new Set<{ words: string; found: () => void }>()
  let seen = -1
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) look(node.textContent ?? '')
    noteShown()
  }).observe(document, { childList: true, characterData: true, subtree: true })

  function look(text: string): void {
    for (const one of wanted) if (text.includes(one.words)) one.found()
    if (arrived.length > 0)
      for (const [, number] of text.slice(-4000).matchAll(/w(\d+)/g)) seen = Math.max(seen, Number(number))
  }

  function noteShown(): void {
    const until = arrived.findIndex(({ number }) => number > seen)
    const shown = arrived.splice(0, until < 0 ? arrived.length : until)
    if (shown.length === 0) return
    const now = frame.number + (frame.isNow ? 0 : 1)
    afterPaint(() => {
      const end = performance.now()
      for (const { at, frame: then } of shown) {
        streaming.delays.push(end - at)
        streaming.frames.push(now - then)
      }
    })
  }

  function painted(words: string): Promise<number> {
    return new Promise((resolve) => {
      const one = {
        words,
        found() {
          wanted.delete(one)
          afterPaint(() => resolve(performance.now()))
        },
      }
      wanted.add(one)
      if (document.body?.textContent.includes(words)) one.found()
    })
  }

  Object.assign(window, { probe: { painted, streaming } satisfies Probe })
}
