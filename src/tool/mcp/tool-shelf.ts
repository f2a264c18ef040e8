import type { Tool } from '../../contract/tool.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { Offer } from './offer.ts'

/** What a server offers, as it was judged, and the tools that come of it. */
export class ToolShelf {
  judged: readonly JudgedTool[] = []
  tools: readonly Tool[] = []
  #offers: readonly Offer[] = []
  readonly #judge: (offers: readonly Offer[]) => Promise<readonly JudgedTool[]>
  readonly #make: (judged: JudgedTool) => Tool

  constructor(judge: (offers: readonly Offer[]) => Promise<readonly JudgedTool[]>, make: (judged: JudgedTool) => Tool) {
    this.#judge = judge
    this.#make = make
  }

  /** Compares offers with what is trusted: new ones, or the last once more. */
  async judge(offers: readonly Offer[] = this.#offers): Promise<void> {
    this.#offers = offers
    const judged = await this.#judge(offers)
    // What was listed meanwhile is compared by itself.
    if (this.#offers !== offers) return
    this.judged = judged
    this.tools = judged.filter(({ state }) => state === 'pinned').map(this.#make)
  }

  offered(tool: string): JudgedTool | undefined {
    return this.judged.find(({ name }) => name === tool)
  }
}
