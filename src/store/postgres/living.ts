/** Nodes that have neither left nor been evicted. */
export const NOT_GONE = 'NOT evicted AND left_at IS NULL'

/** Of those, nodes whose lease has not ended. */
export const LIVING = `${NOT_GONE} AND until > now_ms()`
