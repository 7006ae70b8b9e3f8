// recovery/registry.ts: every recovery driver by its name in fleet files. One line a driver.
import { aws } from './aws/aws.ts'
import { command } from './command/command.ts'
import { docker } from './docker/docker.ts'
import { kubernetes } from './kubernetes/kubernetes.ts'
import { systemd } from './systemd/systemd.ts'
import { webhook } from './webhook/webhook.ts'

export const recoveries = { webhook, docker, kubernetes, systemd, aws, command }
