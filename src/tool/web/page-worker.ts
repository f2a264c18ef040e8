import { parentPort, workerData } from 'node:worker_threads'
import { type Page, pageText } from './page-text.ts'

parentPort?.postMessage(pageText(workerData as Page), [])
