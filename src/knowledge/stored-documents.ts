import type { Actor } from '../contract/actor.ts'
import { auditRecord, type AuditAction, type AuditRecord } from '../contract/audit.ts'
import { beginsVersion, type Document } from '../contract/knowledge.ts'
import { Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { DocumentChanges, KnowledgeStore, OutboxEvent } from '../store/index.ts'
import { orConflict } from './steps.ts'

type Recorded = Pick<Document, 'id' | 'workspaceId' | 'hash'> & Partial<Document>
export type StoredDocuments = ReturnType<typeof storedDocuments>

/** Reading and changing documents of one tenant; every change is recorded without the words. */
export function storedDocuments(store: KnowledgeStore, clock: Clock) {
  function record(action: AuditAction, { id: userId, tenant }: Actor, document: Recorded): AuditRecord {
    const { id: documentId, workspaceId, hash: valueHash, version, selfApproved } = document
    const metadata = {
      documentId,
      workspaceId,
      valueHash,
      ...(version !== undefined && { documentVersion: version }),
      ...(selfApproved === true && { selfApproved }),
    }
    return auditRecord(action, { id: newId(), at: clock.now(), userId, tenant }, metadata)
  }

  return {
    record,
    async get(tenant: string, id: string): Promise<Document> {
      const found = await store.document(id)
      if (found?.tenant !== tenant) throw noDocument(id)
      return found
    },
    async change(
      action: AuditAction,
      actor: Actor,
      { selfApproved: _, ...document }: Document,
      changes: DocumentChanges,
    ): Promise<Document> {
      const { selfApproved, content } = changes
      const recorded = {
        ...document,
        ...(content && { hash: content.hash, version: document.version + (beginsVersion(document) ? 1 : 0) }),
        ...(selfApproved === true && { selfApproved }),
      }
      const audit = [record(action, actor, recorded)]
      return orConflict(
        'document',
        await store.changeDocument(document.id, document.revision, changes, clock.now(), { audit }),
      )
    },
    async publish(actor: Actor, document: Document, reason: string | null): Promise<Document> {
      const at = clock.now()
      const extras = { audit: [record('document_published', actor, document)], outbox: [publishedEvent(document, at)] }
      const change = { at, ...(reason !== null && { reason }) }
      return orConflict('document', await store.publishDocument(document.id, document.revision, change, extras))
    },
  }
}

function publishedEvent({ id: documentId, tenant, workspaceId, version, chunks }: Document, at: number): OutboxEvent {
  const payload = { documentId, workspaceId, version, chunks }
  return { id: newId(), type: 'knowledge.published', tenant, at, payload }
}

const noDocument = (id: string): Problem => new Problem('NOT_FOUND', `There is no document ${id}.`)
