type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Leaves out what was not given, so that an absent field and an undefined one are the same. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}
