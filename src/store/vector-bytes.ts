/** The bytes of a vector as they are stored: 32 bits for each number, as this machine has them (little-endian). */
export const bytesOfVector = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export const vectorOfBytes = (bytes: Uint8Array): Float32Array =>
  // Copied, because a vector begins at a multiple of four bytes; a Buffer's own slice would be no copy.
  new Float32Array(new Uint8Array(bytes).buffer)
