// recovery/aws/signature-v4.ts: AWS Signature Version 4 for a request to the root of a service, without a
// query, as the Query API expects. Pure; tested against the vectors that AWS published.
import { createHash, createHmac } from 'node:crypto'

export interface SignableRequest {
  readonly method: string
  /** By lower-case name, including host. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Null for long-term credentials. */
  readonly sessionToken: string | null
}

export interface SigningScope {
  readonly region: string
  readonly service: string
}

/** The headers to send: the given ones, the time, the session token and the authorization. */
export function signV4(
  request: SignableRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { region, service }: SigningScope,
  nowMs: number,
): Record<string, string> {
  const time = basicTime(nowMs)
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const signedNames = names.join(';')
  const canonical = [
    request.method,
    '/',
    '',
    ...names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    signedNames,
    sha256(request.body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signature = hmac(signingKey(secretAccessKey, day, region, service), toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`
  return { ...headers, authorization }
}

export function signingKey(secretAccessKey: string, day: string, region: string, service: string): Buffer {
  return [day, region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => hmac(key, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
}

/** For example 20150830T123600Z. */
function basicTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
