// core/bounded-body.ts: reads a body up to a limit. Decoded bytes count, so a small compressed body cannot
// expand without bound; at most one chunk is held beyond what the caller keeps. The body is always closed,
// but closing is never awaited: the peer could delay it, and the result is already decided.

export class BodyTooLarge extends Error {}
export class BodyNotText extends Error {}

export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  let isWhole = false
  try {
    let byteCount = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      byteCount += value.byteLength
      if (byteCount > maxBytes) throw new BodyTooLarge()
      yield value
    }
    isWhole = true
  } finally {
    // Cancelling a broken body rejects too.
    if (!isWhole) reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

export async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for await (const chunk of chunksOf(body, maxBytes)) text += decoded(decoder, chunk)
  return text + decoded(decoder)
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw new BodyNotText()
  }
}

/** Closes a body that will not be read. */
export function discard(body: ReadableStream<Uint8Array> | null): void {
  body?.cancel().catch(() => {})
}
