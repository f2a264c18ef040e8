import { parentPort, workerData } from 'node:worker_threads'
import { findLines } from './find-lines.ts'

const pattern = new RegExp(String(workerData))

parentPort?.on('message', ({ text, most }: { text: string; most: number }) => {
  parentPort?.postMessage(
    findLines(text, (line) => pattern.test(line), most),
    [],
  )
})
