// The endpoints here are stand-ins that answer with documents of the EC2 Query API.
import { mistakesIn } from '@pulseward/testing/fleet'
import { recoverOnce } from '@pulseward/testing/recovery'
import {
  answers,
  HttpTarget,
  type OrdinaryAnswer,
  type ReceivedRequest,
  readRequest,
} from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { aws, rebootRequest } from './aws.ts'
import { errorDocument, rebootedDocument } from './peers.ts'
import { signV4 } from './signature-v4.ts'

const config = {
  region: 'eu-central-1',
  instance_id: 'i-0123456789abcdef0',
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}

async function reboot(
  answer: OrdinaryAnswer,
  more: object = {},
): Promise<{ outcome: ActionOutcome; request: ReceivedRequest }> {
  await using endpoint = await HttpTarget.start()
  endpoint.behave(answers(answer))
  const outcome = await recoverOnce(aws, { ...config, endpoint: endpoint.url(''), ...more })
  return { outcome, request: readRequest(endpoint.requests[0]!) }
}

describe('the aws recovery', () => {
  it('sends one request whose signature covers what arrives', async () => {
    const { outcome, request } = await reboot({ body: rebootedDocument }, { session_token: 'of a role' })
    expect(outcome).toEqual({ kind: 'accepted' })
    expect([request.method, request.path]).toEqual(['POST', '/'])
    expect(request.body).toBe('Action=RebootInstances&InstanceId.1=i-0123456789abcdef0&Version=2016-11-15')
    const header = (name: string) => request.headers.get(name)!
    const signedAgain = signV4(
      {
        method: 'POST',
        headers: { 'content-type': header('content-type'), host: header('host') },
        body: request.body,
      },
      {
        accessKeyId: config.access_key_id,
        secretAccessKey: config.secret_access_key,
        sessionToken: header('x-amz-security-token'),
      },
      { region: config.region, service: 'ec2' },
      timeOf(header('x-amz-date')),
    )
    expect(header('authorization')).toBe(signedAgain['authorization'])
    expect(Math.abs(timeOf(header('x-amz-date')) - Date.now())).toBeLessThan(60_000)
  })

  it.each([
    ['eu-central-1', 'https://ec2.eu-central-1.amazonaws.com/'],
    ['us-gov-west-1', 'https://ec2.us-gov-west-1.amazonaws.com/'],
    ['cn-north-1', 'https://ec2.cn-north-1.amazonaws.com.cn/'],
  ])('finds the public endpoint of %s', (region, url) => {
    expect(rebootRequest({ ...config, region }, 0).url).toBe(url)
  })

  it.each([
    [400, 'InvalidInstanceID.NotFound', 'there is no such instance in the region'],
    [403, 'UnauthorizedOperation', 'the credentials may not reboot it'],
    [503, 'RequestLimitExceeded', 'too many requests; nothing was done'],
  ])('rejects for %s %s', async (status, code, words) => {
    const { outcome } = await reboot({ status, body: errorDocument(code) })
    expect(outcome).toEqual({
      kind: 'rejected',
      reason: `EC2 does not reboot i-0123456789abcdef0 (${status} ${code}): ${words}`,
    })
  })

  it('takes any error of EC2 itself as definite, even an internal one', async () => {
    expect((await reboot({ status: 500, body: errorDocument('InternalError') })).outcome).toEqual({
      kind: 'rejected',
      reason: 'EC2 does not reboot i-0123456789abcdef0 (500 InternalError)',
    })
  })

  it.each([
    [502, 'Bad Gateway', 'unknown'],
    [504, '', 'unknown'],
    [407, 'Proxy Authentication Required', 'rejected'],
    [200, '<html>Welcome to our hotel</html>', 'unknown'],
    [200, rebootedDocument.replace('true', 'false'), 'rejected'],
    [400, '<Error><Code>__proto__</Code></Error>', 'rejected'],
  ])('classifies %s %j as %s', async (status, body, kind) => {
    expect((await reboot({ status, body })).outcome.kind).toBe(kind)
  })

  it.each([
    ['instance_id', 'i-1&Action=TerminateInstances'],
    ['instance_id', 'i-0123'],
    ['region', 'evil.test/'],
    ['endpoint', 'https://user:pass@ec2.test'],
    ['endpoint', 'https://ec2.test/path'],
    ['secret_access_key', 'written openly'],
  ])('refuses %s %j in a fleet file', async (field, value) => {
    const secret = { secret_access_key: { credential: 'KEY' } }
    const recovery = { type: 'aws', config: { ...config, ...secret, [field]: value } }
    const check = { type: 'tcp', config: { host: 'a.test', port: 1 } }
    const fleet = { credentials: { KEY: { env: 'KEY' } }, monitors: [{ name: 'a', check, recovery }] }
    expect(await mistakesIn(JSON.stringify(fleet), { environment: { KEY: 'k' } })).toEqual([
      expect.stringContaining(`monitors[0].recovery.config.${field}`),
    ])
  })
})

function timeOf(basic: string): number {
  return Date.parse(basic.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'))
}
