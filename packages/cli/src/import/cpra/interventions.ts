// import/cpra/interventions.ts: what CPRa does when a monitor fails, as the recovery of the same name.
import { asDuration, durationOf } from '../durations.ts'
import type { Fields } from '../fields.ts'
import { stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'

/** Undefined if it is not carried over; the monitor is imported without it. */
export function recovery(fields: Fields, owner: string, secrets: Secrets): object | undefined {
  const type = fields.text('action') ?? ''
  const target = fields.fields('target') ?? fields.within('target', {})
  fields.refuse('is not carried over: a recovery is tried once', 'retries', 'max_failures')
  target.pass('type')
  const config = configOf(type, target, owner, secrets)
  const timeoutMs = durationOf(target, 'timeout')
  if (config === null) return undefined
  return {
    type,
    ...(timeoutMs === undefined || timeoutMs < 1 ? {} : { timeout: asDuration(timeoutMs) }),
    config,
  }
}

function configOf(type: string, target: Fields, owner: string, secrets: Secrets): object | null {
  switch (type) {
    case 'docker':
      return { container: target.text('container') }
    case 'systemd':
      if (target.text('mode') !== 'replace') target.refuse('is always replace here', 'mode')
      return { unit: target.text('unit') }
    case 'kubernetes':
      return kubernetes(target)
    case 'webhook': {
      const url = target.text('url')
      const headers = target.textMap('headers')
      return stated({
        url: url === undefined ? undefined : secrets.url(`${owner} recovery`, url),
        method: target.text('method')?.toUpperCase(),
        headers:
          Object.keys(headers).length === 0 ? undefined : secrets.headers(`${owner} recovery`, headers),
        body: target.text('body'),
      })
    }
    case 'aws':
      target.note(
        '',
        'is not carried over: a recovery by aws needs an access key, which the manifest does not have',
      )
      target.pass('region', 'operation', 'instance_id')
      return null
    default:
      target.note('', 'is not carried over: there is no recovery of this type')
      return null
  }
}

function kubernetes(target: Fields): object {
  const replicas = target.number('replicas')
  return {
    ...stated({
      namespace: target.text('namespace'),
      name: target.text('name'),
      kind: target.text('kind')?.toLowerCase(),
      kubeconfig: target.text('kubeconfig_path'),
    }),
    ...(replicas === undefined ? {} : { action: 'scale', replicas }),
  }
}
