export type Progress = (sent: number) => void

/** Like `fetch`, but tells how many bytes of the request have gone. */
export function sendWithProgress(url: string, { method = 'GET', headers, body }: RequestInit, told: Progress) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => told(loaded))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      const after = request.getResponseHeader('retry-after')
      resolve(new Response(responseText || null, { status, ...(after && { headers: { 'retry-after': after } }) }))
    })
    request.addEventListener('error', () => reject(new TypeError('The connection broke off.')))
    request.send(body as FormData)
  })
}
