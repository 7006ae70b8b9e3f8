// recovery/registry.ts: every recovery by its name in fleet files, one line per driver.
import { aws } from './aws/aws.ts'
import { command } from './command/command.ts'
import { docker } from './docker/docker.ts'
import type { RecoveryDriver } from './driver.ts'
import { kubernetes } from './kubernetes/kubernetes.ts'
import { systemd } from './systemd/systemd.ts'
import { webhook } from './webhook/webhook.ts'

export const recoveries: Readonly<Record<string, RecoveryDriver>> = {
  webhook,
  docker,
  kubernetes,
  systemd,
  aws,
  command,
}

/** The driver of a validated recovery: its type is a name above. */
export function recoveryDriverOf({ type }: { readonly type: string }): RecoveryDriver {
  return recoveries[type] as RecoveryDriver
}
