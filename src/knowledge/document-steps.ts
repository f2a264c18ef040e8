import type { Document, DocumentStatus } from '../contract/knowledge.ts'
import { Problem } from '../contract/problem.ts'
import { isSelfApproval, type FourEyes } from './four-eyes.ts'
import { stepsOf, type Step, type TakeStep } from './steps.ts'
import type { StoredDocuments } from './stored-documents.ts'

/** An archived version may come back if it was approved; every version of a document that is found can be archived. */
const STEPS = {
  submit: { needs: 'knowledge:write', from: ['draft'] },
  approve: { needs: 'knowledge:review', from: ['pending_review'] },
  reject: { needs: 'knowledge:review', from: ['pending_review'] },
  publish: { needs: 'knowledge:publish', from: ['approved', 'archived'], isPossible: wasApproved },
  archive: {
    needs: 'knowledge:publish',
    from: ['draft', 'pending_review', 'approved', 'published'],
    isPossible: isFound,
  },
} as const satisfies Record<string, Step<Document> & { readonly from: readonly DocumentStatus[] }>

export type DocumentSteps = Readonly<Record<keyof typeof STEPS, TakeStep<Document>>>

export function documentSteps(stored: StoredDocuments, options: FourEyes): DocumentSteps {
  const step = stepsOf<Document, keyof typeof STEPS>('document', STEPS, stored.get)
  return {
    submit: step('submit', (actor, document, reason) =>
      stored.change('document_submitted', actor, document, { status: 'pending_review', reason }),
    ),
    approve: step('approve', async (actor, document, reason) => {
      const selfApproved = await isSelfApproval(actor, document, options, 'document', STEPS.approve.needs)
      const changes = { status: 'approved', reviewer: actor.id, selfApproved, reason } as const
      return stored.change('document_approved', actor, document, changes)
    }),
    reject: step('reject', (actor, document, reason) =>
      stored.change('document_rejected', actor, document, { status: 'draft', reason }),
    ),
    publish: step('publish', async (actor, document, reason) => {
      if (!wasApproved(document)) throw neverApproved()
      return stored.publish(actor, document, reason)
    }),
    archive: step('archive', async (actor, document, reason) => {
      if (!isFound(document)) throw notFoundByAnybody(document)
      return stored.change('document_archived', actor, document, { status: 'archived', reason })
    }),
  }
}

function wasApproved({ reviewer }: Document): boolean {
  return reviewer !== undefined
}

function isFound({ publishedVersion }: Document): boolean {
  return publishedVersion !== undefined
}

const neverApproved = (): Problem =>
  new Problem(
    'CONFLICT',
    'Its newest version was archived before anybody approved it. Change its content, which begins a new draft.',
  )

const notFoundByAnybody = ({ status }: Document): Problem =>
  new Problem('CONFLICT', `It is ${status} and no version of it is found, so there is nothing to archive. Delete it.`)
