/*! Zod, copyright Colin McDonnell, MIT licence */
/** The parts of Zod that Segno uses, so that the bundler makes one small file of them. */
export { fromJSONSchema, registry, safeParseAsync, toJSONSchema } from 'zod'
