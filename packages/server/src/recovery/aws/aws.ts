// recovery/aws/aws.ts: reboots an EC2 instance with one signed request to the Query API and explicit credentials; nothing
// is taken from the environment, from profiles or from the instance's metadata. An acceptance means that EC2 has queued
// the reboot; the instance goes down a few moments later. The user behind the key needs ec2:RebootInstances.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  sendOutbound,
} from '../../platform/network/outbound-http.ts'
import { closed, type Infer, OneLineSecret, OpenOrSecretLine } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { classifyResult, defineRecovery } from '../driver.ts'
import { signV4 } from './signature-v4.ts'

const API_VERSION = '2016-11-15'

const config = closed({
  region: Type.String({
    pattern: '^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$',
    description: 'The region of the instance, such as eu-central-1.',
  }),
  instance_id: Type.String({
    pattern: '^i-([0-9a-f]{8}|[0-9a-f]{17})$',
    description: 'The id of the instance, such as i-0123456789abcdef0.',
  }),
  access_key_id: Type.Unsafe<string>({ ...OpenOrSecretLine, description: 'The id of the access key.' }),
  secret_access_key: Type.Unsafe<string>({ ...OneLineSecret, description: 'The secret of the access key.' }),
  session_token: Type.Optional(
    Type.Unsafe<string>({ ...OneLineSecret, description: 'The session token of temporary credentials.' }),
  ),
  endpoint: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+/?$',
      maxLength: 512,
      description:
        "Where the API is, for private endpoints and stand-ins; by default the region's public endpoint.",
    }),
  ),
})

type AwsConfig = Infer<typeof config>

export const aws = defineRecovery({
  summary: 'Reboots an EC2 instance.',
  config,
  target: ({ instance_id, region }) => `${instance_id} in ${region}`,
  targetKey: ({ instance_id, region, endpoint = '' }) => `${endpoint} ${region} ${instance_id}`,
  async recover(config, _intervention, run) {
    const request = rebootRequest(config, Date.now())
    const result = await sendOutbound(run.network, request, run)
    return classifyResult(result, (answer) => classifyResponse(answer, config.instance_id))
  },
})

/** Signed for this moment: EC2 refuses requests that are more than five minutes old. */
export function rebootRequest(config: AwsConfig, nowMs: number): OutboundRequest {
  const { region, instance_id, access_key_id, secret_access_key, session_token } = config
  const url = new URL(config.endpoint ?? publicEndpoint(region))
  const body = new URLSearchParams({
    Action: 'RebootInstances',
    'InstanceId.1': instance_id,
    Version: API_VERSION,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', host: url.host }
  const credentials = {
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    sessionToken: session_token ?? null,
  }
  const scope = { region, service: 'ec2' }
  return {
    method: 'POST',
    url: url.href,
    headers: signV4({ method: 'POST', headers, body }, credentials, scope, nowMs),
    body,
  }
}

function publicEndpoint(region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `https://ec2.${region}.${domain}`
}

const SENTENCES: Readonly<Record<string, string>> = {
  'InvalidInstanceID.NotFound': 'there is no such instance in the region',
  'InvalidInstanceID.Malformed': 'the id of the instance is wrong',
  IncorrectInstanceState: 'the state of the instance does not allow a reboot',
  UnauthorizedOperation: 'the credentials may not reboot it',
  AuthFailure: 'the credentials are not valid',
  InvalidClientTokenId: 'the access key does not exist',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  RequestExpired: 'the request or the session token has expired; check the clock of this machine',
  RequestLimitExceeded: 'too many requests; nothing was done',
}

/**
 * A document from EC2, either success or an error with a code, is definite. Any other answer comes from
 * something in between: below 500 it refused to pass the request on; otherwise the outcome is unknown. Only
 * the code of an error is shown, never its message.
 */
function classifyResponse({ status, body }: OutboundAnswer, instanceId: string): ActionOutcome {
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
