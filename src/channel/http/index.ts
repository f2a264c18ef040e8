export { createHttpApp } from './http-app.ts'
export { serve, type Serving } from './serve.ts'
