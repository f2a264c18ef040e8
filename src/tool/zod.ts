/*! Zod, copyright Colin McDonnell, MIT licence */
/** The little of Zod that Segno needs, for the bundler to make one small file of: as it comes it is seventy. */
export { fromJSONSchema, registry, safeParseAsync, toJSONSchema } from 'zod'
