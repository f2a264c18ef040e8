import { createHmac } from 'node:crypto'

/** What only the server can make. It follows from what it stands for, so that nothing has to be kept. */
function seal(...of: readonly string[]): string {
  return createHmac('sha256', 'strict provider').update(JSON.stringify(of)).digest('base64')
}

/** The signature of a thinking block: good for this model and this text only. */
export const signatureOf = (model: string, thinking: string): string => seal('thinking', model, thinking)

/** The encrypted content of a reasoning item: good for this model and this item only. */
export const encryptedOf = (model: string, itemId: string): string => `gAAAA${seal('reasoning', model, itemId)}`
