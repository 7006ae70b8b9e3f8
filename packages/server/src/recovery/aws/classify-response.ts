// recovery/aws/classify-response.ts: the outcome that an answer of EC2 means. A document of EC2, either success or an
// error with a code, is definite. Any other answer comes from something in between: below 500 it refused to pass the
// request on; otherwise the outcome is unknown. Pure. Of an error only the code is shown, never the message.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  'InvalidInstanceID.NotFound': 'there is no such instance in the region',
  'InvalidInstanceID.Malformed': 'the id of the instance is wrong',
  IncorrectInstanceState: 'the instance is in no state to be rebooted',
  UnauthorizedOperation: 'the credentials may not reboot it',
  AuthFailure: 'the credentials are not valid',
  InvalidClientTokenId: 'the access key does not exist',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  RequestExpired: 'the request or the session token has expired; is our clock right?',
  RequestLimitExceeded: 'too many requests; nothing was done',
}

export function classifyResponse({ status, body }: OutboundAnswer, instanceId: string): ActionOutcome {
  if (status === 200) return classifySuccess(body)
  const code = /<Error>\s*<Code>([A-Za-z0-9.]{1,100})<\/Code>/.exec(body)?.[1]
  if (code !== undefined) {
    const words = Object.hasOwn(SENTENCES, code) ? `: ${SENTENCES[code]}` : ''
    return rejected(`EC2 does not reboot ${instanceId} (${status} ${code})${words}`)
  }
  if (status >= 500) return unknown(`answered with ${status}, but not by EC2: it may have been asked`)
  return rejected(`answered with ${status}, but not by EC2`)
}

function classifySuccess(body: string): ActionOutcome {
  const isReboot = body.includes('<RebootInstancesResponse')
  const outcome = isReboot ? /<return>(true|false)<\/return>/.exec(body)?.[1] : undefined
  if (outcome === 'true') return accepted()
  if (outcome === 'false') return rejected('EC2 does not reboot the instance')
  return unknown('answered with 200, but not as EC2 does')
}
