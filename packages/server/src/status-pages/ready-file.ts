// status-pages/ready-file.ts: a file as it is sent: its bytes in each encoding, and a strong tag for each.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A file before it is made ready. */
export interface Rendered {
  readonly type: string
  readonly body: string
  /** The body is bytes in base64. */
  readonly isBase64?: true
  /** Only for pages that a browser shows. */
  readonly contentSecurityPolicy?: string
  /** Pages of other sites may read it, as they may read everything here: it is for machines. */
  readonly isOpen?: true
}

export const fileEncodings = ['br', 'gzip', 'identity'] as const
/** The smallest first. */
export type FileEncoding = (typeof fileEncodings)[number]

export interface ReadyFile {
  readonly type: string
  readonly contentSecurityPolicy: string | null
  readonly isOpen: boolean
  readonly bytes: Readonly<Record<FileEncoding, Uint8Array>>
  readonly tags: Readonly<Record<FileEncoding, string>>
}

/** Small enough in the time that it takes: the page is made anew at most once per second. */
const brotliQuality = 5
const gzipLevel = 6

/** Compresses outside the thread of the controller. */
export async function readyFile({
  type,
  body,
  isBase64,
  contentSecurityPolicy,
  isOpen,
}: Rendered): Promise<ReadyFile> {
  const identity = Buffer.from(body, isBase64 ? 'base64' : 'utf8')
  const [br, small] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    promisify(gzip)(identity, { level: gzipLevel }),
  ])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return {
    type,
    contentSecurityPolicy: contentSecurityPolicy ?? null,
    isOpen: isOpen ?? false,
    bytes: { br, gzip: small, identity },
    tags: { br: `"${hash}.br"`, gzip: `"${hash}.gzip"`, identity: `"${hash}"` },
  }
}
