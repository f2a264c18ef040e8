export { createN8nEngine } from './n8n-engine.ts'
